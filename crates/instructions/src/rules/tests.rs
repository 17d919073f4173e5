//! Which files are rules, in which order, and how much of them is shown.

use expect_test::expect;
use proptest::collection::vec;
use proptest::prelude::{ProptestConfig, Strategy as _, prop_assert, prop_assert_eq, prop_oneof, proptest};
use throughline_prompt::Stability;

use super::{ALL_CHARS, Rules, RulesPolicy};
use crate::places::SessionFolders;
use crate::stage::{Stage, texts};

fn chars(rules: &Rules) -> usize {
    rules.files().iter().map(|file| file.text.chars().count()).sum()
}

// S3-13: the project's rules are its second part.
#[test]
fn from_the_user_over_the_root_down_to_the_workspace() {
    let stage = Stage::of(&[
        ("config/AGENTS.md", "Be brief."),
        ("repo/CLAUDE.md", "Use tabs."),
        ("repo/app/AGENTS.md", "Use spaces."),
        ("repo/app/CLAUDE.md", "Not the first name."),
        ("repo/app/deep/AGENT.md", "Use both."),
        ("repo/other/AGENTS.md", "Of another folder."),
        ("AGENTS.md", "Above the repository."),
    ]);
    expect![[r"
        # Rules of the user

        Be brief.
        ----
        # Rules of the project (~/repo/CLAUDE.md)

        Use tabs.
        ----
        # Rules of the project for ~/repo/app (~/repo/app/AGENTS.md)

        Where they differ from rules of folders above, these hold.

        Use spaces.
        ----
        # Rules of the project for the working folder (AGENT.md)

        Where they differ from rules of folders above, these hold.

        Use both.
        ----
    "]]
    .assert_eq(&stage.shown("repo/app/deep"));
    assert_eq!(stage.problems("repo/app/deep"), "");
    let sections = stage.rules("repo/app/deep").sections();
    assert!(sections.iter().all(|section| section.stability == Stability::Project && section.cacheable));
    let names: Vec<String> = sections.iter().map(|section| stage.plain(&section.name)).collect();
    assert_eq!(names[0], "user's rules ~/config/AGENTS.md");
    assert_eq!(names[3], "rules AGENT.md");
}

#[test]
fn what_a_user_of_claude_code_adds_to_shared_rules_is_read_behind_them() {
    let stage = Stage::of(&[
        ("config/CLAUDE.local.md", "Not of a project."),
        ("repo/AGENTS.md", "Use tabs."),
        ("repo/CLAUDE.local.md", "Answer in French."),
        ("repo/app/CLAUDE.local.md", "Run the app on port 3001."),
    ]);
    let names = |policy: &RulesPolicy| -> Vec<String> {
        let rules = Rules::load(&stage.places("repo/app"), policy);
        rules.files().iter().map(|file| stage.plain(&file.shown)).collect()
    };
    let all = ["~/repo/AGENTS.md", "~/repo/CLAUDE.local.md", "CLAUDE.local.md"];
    assert_eq!(names(&RulesPolicy::default()), all);
    let own = RulesPolicy { names: vec!["AGENTS.md".to_owned()], ..RulesPolicy::default() };
    assert_eq!(names(&own), ["~/repo/AGENTS.md"], "it belongs to CLAUDE.md");
}

#[test]
fn the_names_can_be_chosen() {
    let stage = Stage::of(&[("repo/AGENTS.md", "no"), ("repo/RULES.txt", "yes"), ("outside.md", "never")]);
    let names = ["../outside.md", "RULES.txt", "AGENTS.md"].map(str::to_owned).to_vec();
    let rules = Rules::load(&stage.places("repo"), &RulesPolicy { names, ..RulesPolicy::default() });
    // What leads out is refused, not passed over in silence.
    assert_eq!(texts(&rules), "");
    assert!(rules.problems()[0].ends_with("it lies outside of the folder that it may come from"));
    let names = ["RULES.txt", "AGENTS.md"].map(str::to_owned).to_vec();
    let rules = Rules::load(&stage.places("repo"), &RulesPolicy { names, ..RulesPolicy::default() });
    assert!(texts(&rules).contains("\nyes\n"));
}

#[test]
fn without_a_repository_only_the_workspace_counts() {
    let stage = Stage::of(&[("AGENTS.md", "above"), ("plain/AGENTS.md", "here"), ("plain/x/y", "")]);
    assert!(stage.shown("plain").contains("\nhere\n") && !stage.shown("plain").contains("above"));
    assert_eq!(stage.shown("plain/x"), "");
    assert_eq!(stage.rules("plain/x"), Rules::default());
}

#[test]
fn unreadable_rules_are_reported_and_stop_nothing() {
    let stage = Stage::of(&[("repo/app/CLAUDE.md", "  \n\n"), ("secret", "4711")]);
    stage.put("repo/AGENTS.md", b"\xff\xfe\x00");
    stage.link("repo/app/AGENTS.md", stage.path("secret"));
    stage.link("repo/app/x/AGENTS.md", "nowhere");
    assert_eq!(stage.shown("repo/app/x"), "");
    expect![[r"
        ~/repo/AGENTS.md is left out: it is no text
        ~/repo/app/AGENTS.md is left out: it lies outside of the folder that it may come from
        AGENTS.md is left out: it is missing"]]
    .assert_eq(&stage.problems("repo/app/x"));
}

#[test]
fn two_names_of_one_file_show_it_once() {
    let stage = Stage::of(&[("repo/AGENTS.md", "Once.")]);
    stage.link("repo/app/CLAUDE.md", "../AGENTS.md");
    assert_eq!(stage.shown("repo/app").matches("Once.").count(), 1);
}

#[test]
fn hidden_characters_are_reported_to_model_and_user() {
    let stage = Stage::of(&[("repo/AGENTS.md", "Be\u{200b} kind.\u{e0041}\u{e0042}\n")]);
    let shown = stage.shown("repo");
    assert!(
        shown.contains("\nBe kind.\n[3 invisible characters were taken out of this file.]\n"),
        "{}",
        shown.escape_unicode()
    );
    assert_eq!(stage.problems("repo"), "AGENTS.md has 3 invisible or control characters; they are left out");
}

#[test]
fn ten_megabytes_become_a_beginning_and_an_end() {
    let stage = Stage::of(&[("repo/app/AGENTS.md", "Small.")]);
    let mut text: String = (1..=700_000).map(|line| format!("rule {line}: mind\n")).collect();
    text.push_str("@last.md\n");
    stage.put("repo/AGENTS.md", text.as_bytes());
    stage.put("repo/last.md", b"the last word");
    let shown = stage.shown("repo/app");
    assert!(shown.chars().count() < 21_000, "{}", shown.chars().count());
    assert!(shown.contains("\nrule 1: mind\n") && shown.contains("\nrule 700000: mind\n"));
    assert!(shown.contains("it is in ~/repo/AGENTS.md, where file tools do not reach"), "{shown}");
    assert!(shown.contains("\nthe last word\n") && shown.contains("\nSmall.\n"));
    let from = "[From line ";
    let line = shown.split_once(from).unwrap().1.split_once(' ').unwrap().0;
    let last = line.parse::<u64>().unwrap() - 1;
    assert!(shown.contains(&format!("rule {last}: mind\n\n[From")), "{line}");
}

#[test]
fn the_last_folders_own_text_comes_before_the_first_ones_imports() {
    let long: String = (0..3_000).map(|line| format!("line {line}\n")).collect();
    let imports: String = (0..9).map(|file| format!("@{file}.md\n")).collect();
    let stage = Stage::of(&[("repo/AGENTS.md", &imports), ("repo/app/AGENTS.md", "Mind this.")]);
    for file in 0..9 {
        stage.put(&format!("repo/{file}.md"), long.as_bytes());
    }
    let rules = stage.rules("repo/app");
    let shown = texts(&rules);
    assert!(shown.contains("\nMind this.\n") && shown.contains("there is no room for it"), "{shown}");
    assert!(chars(&rules) <= ALL_CHARS);
}

#[test]
fn a_small_window_leaves_room_for_work() {
    let long: String = (0..3_000).map(|line| format!("line {line}\n")).collect();
    let stage = Stage::of(&[("config/AGENTS.md", &long), ("repo/AGENTS.md", &long)]);
    let policy = RulesPolicy::default().within_window(8_000);
    let rules = Rules::load(&stage.places("repo"), &policy);
    assert!(chars(&rules) <= 4_000, "{}", chars(&rules));
    assert!(rules.problems().iter().any(|line| line.ends_with("there is no room for it")));
    assert_eq!(RulesPolicy::default().within_window(1_000_000), RulesPolicy::default());
}

#[test]
fn a_git_folder_of_somebody_else_is_no_root() {
    let stage = Stage::of(&[("repo/AGENTS.md", "Of somebody."), ("repo/app/AGENTS.md", "Mine.")]);
    assert!(stage.shown("repo/app").contains("Of somebody."));
    // Only root may give a file away. Any other user owns all folders of this test and sees all rules.
    let given = std::os::unix::fs::chown(stage.path("repo"), Some(4_711), None).is_ok();
    let shown = stage.shown("repo/app");
    assert!(shown.contains("Mine.") && shown.contains("Of somebody.") != given, "{shown}");
}

#[test]
fn missing_folders_are_no_problem() {
    let places = SessionFolders::of(
        std::path::Path::new("/nonexistent/x"),
        Some(std::path::Path::new("/nonexistent/y")),
    );
    assert_eq!((places.root(), places.config()), (std::path::Path::new("/nonexistent/x"), None));
    assert_eq!(Rules::load(&places, &RulesPolicy::default()), Rules::default());
}

fn line() -> impl proptest::strategy::Strategy<Value = String> {
    prop_oneof![
        "[a-z é\u{200b}`~#]{0,60}",
        (0..6_u8).prop_map(|file| format!("see @{file}.md")),
        proptest::strategy::Just("```".to_owned()),
        proptest::strategy::Just("@../outside.md @none.md @/etc/passwd".to_owned()),
        (1..400_usize).prop_map(|words| "word ".repeat(words)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn all_is_never_more_than_the_limit_and_the_same_files_give_the_same_text(
        files in vec(vec(line(), 0..40), 9),
        all_chars in 0..12_000_usize,
        file_chars in 0..6_000_usize,
    ) {
        let stage = Stage::of(&[("outside.md", "never shown")]);
        let names = ["config/AGENTS.md", "repo/AGENTS.md", "repo/app/AGENTS.md"].map(str::to_owned);
        let names = names.into_iter().chain((0..6).map(|file| format!("repo/{file}.md")));
        for (name, lines) in names.zip(&files) {
            stage.put(&name, lines.join("\n").as_bytes());
        }
        let policy = RulesPolicy { all_chars, file_chars, ..RulesPolicy::default() };
        let places = stage.places("repo/app");
        let rules = Rules::load(&places, &policy);
        prop_assert!(chars(&rules) <= all_chars, "{} of {all_chars}", chars(&rules));
        prop_assert!(!texts(&rules).contains("never shown"));
        prop_assert_eq!(&rules, &Rules::load(&places, &policy));
    }
}
