//! Imports, through the loading of rules.

use expect_test::expect;

use super::{MAX_DEPTH, MAX_IMPORTS};
use crate::rules::{Rules, RulesPolicy};
use crate::stage::{Stage, texts};

#[test]
fn an_import_stands_below_its_line() {
    let stage = Stage::of(&[
        ("repo/AGENTS.md", "Read @docs/style.md and @docs/test.md.\nThen work, @jane. Use @types/node.\n"),
        ("repo/docs/style.md", "Tabs. More in @more.md.\n"),
        ("repo/docs/more.md", "No tabs."),
        ("repo/docs/test.md", "Test `@docs/no.md`."),
    ]);
    expect![[r"
        # Rules of the project (~/repo/AGENTS.md)

        Read @docs/style.md and @docs/test.md.
        [begin of ~/repo/docs/style.md]
        Tabs. More in @more.md.
        [begin of ~/repo/docs/more.md]
        No tabs.
        [end of ~/repo/docs/more.md]
        [end of ~/repo/docs/style.md]
        [begin of docs/test.md]
        Test `@docs/no.md`.
        [end of docs/test.md]
        Then work, @jane. Use @types/node.
        ----
    "]]
    .assert_eq(&stage.shown("repo/app").replace("~/repo/docs/test.md", "docs/test.md"));
    assert_eq!(stage.problems("repo/app"), "");
}

#[test]
fn a_bad_import_is_a_note_in_its_place() {
    let stage = Stage::of(&[
        ("secret.md", "the password is teal"),
        (
            "repo/AGENTS.md",
            "@../secret.md\n@/etc/passwd\n@link.md\n@none.md\n@folder/x.md @bin.md @.env\n@latin.md\n@~/x.md\nThe end.",
        ),
        ("repo/folder/x.md/y", ""),
        ("repo/bin.md", "a\0b"),
        ("repo/.env", "KEY=4711"),
    ]);
    stage.put("repo/latin.md", b"caf\xe9");
    stage.link("repo/link.md", stage.path("secret.md"));
    expect![[r"
        # Rules of the project (AGENTS.md)

        @../secret.md
        [@../secret.md is left out: it lies outside of the folder that it may come from.]
        @/etc/passwd
        [@/etc/passwd is left out: it lies outside of the folder that it may come from.]
        @link.md
        [@link.md is left out: it lies outside of the folder that it may come from.]
        @none.md
        [@none.md is left out: it is missing.]
        @folder/x.md @bin.md @.env
        [@folder/x.md is left out: it is a folder, not a file.]
        [@bin.md is left out: it is no text.]
        [@.env is left out: files of this kind hold secrets.]
        @latin.md
        [@latin.md is left out: it is not written in UTF-8.]
        @~/x.md
        [@~/x.md is left out: it is missing.]
        The end.
        ----
    "]]
    .assert_eq(&stage.shown("repo"));
    assert_eq!(stage.rules("repo").problems().len(), 9);
    assert!(
        stage.problems("repo").starts_with("AGENTS.md imports @../secret.md, which is left out: it lies")
    );
}

#[test]
fn the_users_imports_stay_in_the_configuration() {
    let stage = Stage::of(&[
        ("config/AGENTS.md", "@me/style.md @../repo/README.md"),
        ("config/me/style.md", "Short words."),
        ("repo/README.md", "long words"),
    ]);
    let shown = stage.shown("repo");
    assert!(shown.starts_with("# Rules of the user\n") && shown.contains("\nShort words.\n"), "{shown}");
    assert!(shown.contains("[@../repo/README.md is left out: it lies outside"), "{shown}");
    assert!(!shown.contains("long words"), "{shown}");
}

#[test]
fn a_circle_ends_and_each_file_is_shown_once() {
    let stage = Stage::of(&[
        ("repo/AGENTS.md", "@a.md\n@a.md\n@AGENTS.md\n"),
        ("repo/a.md", "A\n@b.md\n"),
        ("repo/b.md", "B\n@a.md\n@./app/../AGENTS.md\n"),
    ]);
    let shown = stage.shown("repo");
    assert_eq!(shown.matches("\nA\n").count(), 1, "{shown}");
    assert_eq!(shown.matches("\nB\n").count(), 1, "{shown}");
    assert_eq!(shown.matches("this file is shown elsewhere").count(), 4, "{shown}");
}

#[test]
fn imports_go_so_deep_and_no_deeper() {
    let stage = Stage::of(&[("repo/AGENTS.md", "@1.md")]);
    for depth in 1..10 {
        stage.put(&format!("repo/{depth}.md"), format!("depth {depth}\n@{}.md\n", depth + 1).as_bytes());
    }
    let shown = stage.shown("repo");
    assert!(shown.contains(&format!("\ndepth {MAX_DEPTH}\n")), "{shown}");
    assert!(!shown.contains(&format!("\ndepth {}\n", MAX_DEPTH + 1)), "{shown}");
    assert!(shown.contains("imports go 5 files deep and no deeper"), "{shown}");
}

#[test]
fn a_bomb_of_imports_is_bounded() {
    let stage = Stage::of(&[]);
    // Each of 300 files imports all of them, by two names each.
    let all: String = (0..300).map(|file| format!("@{file}.md @./{file}.md\n")).collect();
    for file in 0..300 {
        stage.put(&format!("repo/{file}.md"), all.as_bytes());
    }
    stage.put("repo/AGENTS.md", all.as_bytes());
    let policy = RulesPolicy { all_chars: 600_000, ..RulesPolicy::default() };
    let rules = Rules::load(&stage.places("repo"), &policy);
    let shown = texts(&rules);
    assert!(shown.chars().count() <= policy.all_chars + 10);
    assert!(shown.matches("[begin of ").count() <= MAX_IMPORTS);
    assert!(rules.problems().len() <= 101, "{}", rules.problems().len());
}

#[test]
fn an_import_is_cut_like_any_other_file() {
    let long: String = (0..5_000).map(|line| format!("line {line}\n")).collect();
    let stage = Stage::of(&[("repo/AGENTS.md", "@long.md\nThe end."), ("repo/long.md", &long)]);
    let shown = stage.shown("repo");
    assert!(shown.chars().count() < 21_000, "{}", shown.chars().count());
    assert!(shown.contains("characters are left out here; read_file shows all of long.md.]"), "{shown}");
    assert!(shown.ends_with("line 4999\n[end of long.md]\nThe end.\n----\n"), "{shown}");
    assert_eq!(stage.problems("repo"), "long.md is too long: only its beginning and its end are shown");
}

#[test]
fn a_path_from_the_home_folder_reaches_the_users_own_instructions_only() {
    let stage = Stage::of(&[
        ("repo/CLAUDE.md", "@~/.claude/my.md\n@~/.claude/.credentials.json\n@~/notes.md\n"),
        (".claude/my.md", "Mine."),
        (".claude/.credentials.json", "{}"),
        ("notes.md", "No."),
    ]);
    let home = stage.path("");
    let rules = Rules::load(&stage.places("repo").with_home(Some(&home)), &RulesPolicy::default());
    let shown = texts(&rules);
    assert!(shown.contains("Mine.") && !shown.contains("No."), "{shown}");
    assert_eq!(shown.matches("lies outside of the folder").count(), 2, "{shown}");
}
