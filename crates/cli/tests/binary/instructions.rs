//! Rules and skills, from the files that people write to the request that a model gets.

use std::fs;

use serde_json::{Value, json};
use throughline_testserver::{Answer, Script, Server};

use crate::lived::MODEL;
use crate::place::{Place, serve};
use crate::ran::{Ran, run};

/// A user with a configuration, a repository, and a model that answers in order.
struct Stage {
    place: Place,
    server: Server,
}

const SKILL: &str = "---\nname: fix\ndescription: Adds sums.\n---\nAdd both numbers, slowly.\n";

impl Stage {
    fn new(script: Script) -> Self {
        let stage = Self { place: Place::new(), server: serve(script) };
        for folder in ["repo/.git", "repo/app/deep", ".config/throughline"] {
            fs::create_dir_all(stage.place.folder.path().join(folder)).unwrap();
        }
        stage
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.place.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// `throughline run` in a folder of the repository.
    #[track_caller]
    fn ends_well(&self, folder: &str, args: &[&str]) -> Ran {
        let mut command = self.place.asks(&self.server, MODEL, args);
        let ran = run(command.current_dir(self.place.folder.path().join(folder)));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran
    }

    fn bodies(&self) -> Vec<Value> {
        let received = self.server.received();
        assert!(received.iter().all(|request| request.faults.is_empty()), "{received:?}");
        received.into_iter().map(|request| request.body).collect()
    }

    /// The system prompt of a request, as one text.
    fn system(&self, request: usize) -> String {
        let body = &self.bodies()[request];
        let blocks = body["system"].as_array().unwrap().iter().filter_map(|block| block["text"].as_str());
        blocks.collect::<Vec<_>>().join("\n")
    }
}

#[track_caller]
fn in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { panic!("{part:?} is missing in {text}") };
        rest = behind;
    }
}

// S3-13
#[test]
fn rules_come_from_the_user_and_from_each_folder_down_to_the_working_one() {
    let stage = Stage::new(Script::new().then(Answer::text("Yes.")));
    stage.put(".config/throughline/AGENTS.md", "Be brief.");
    stage.put("repo/AGENTS.md", "Use tabs. See @docs/style.md.\n");
    stage.put("repo/docs/style.md", "Two blank lines.\n");
    stage.put("repo/app/CLAUDE.md", "Use spaces here.");
    stage.put("repo/app/deep/AGENTS.md", "Use nothing.");
    stage.put("AGENTS.md", "Of the home folder.");
    let ran = stage.ends_well("repo/app/deep", &["Ready?"]);
    assert_eq!(ran.err, "");
    let system = stage.system(0);
    in_order(
        &system,
        &[
            "The working folder is",
            "Be brief.",
            "Use tabs.",
            "Two blank lines.",
            "Use spaces here.",
            "Use nothing.",
        ],
    );
    assert!(!system.contains("Of the home folder."), "{system}");
}

#[test]
fn a_hostile_repository_shows_nothing_of_what_lies_outside() {
    let stage = Stage::new(Script::new().then(Answer::text("Yes.")));
    stage.put("secret.md", "the password is 4711");
    stage.put("repo/AGENTS.md", "@../secret.md @link.md @/etc/passwd\nEnd\u{202e}.\u{1b}]0;x\u{7}\n");
    stage.put("repo/.claude/skills/evil/SKILL.md", SKILL);
    std::os::unix::fs::symlink("../secret.md", stage.place.folder.path().join("repo/link.md")).unwrap();
    let ran = stage.ends_well("repo", &["Ready?"]);
    let body = stage.bodies()[0].to_string();
    assert!(!body.contains("4711") && !body.contains("root:"), "{body}");
    assert!(
        !body.contains('\u{202e}') && !body.contains("use_skill") && !body.contains("Adds sums"),
        "{body}"
    );
    in_order(
        &ran.err,
        &[
            "rules: AGENTS.md has 3 invisible or control characters",
            "rules: AGENTS.md imports @../secret.md, which is left out: it lies outside",
            "skill .claude/skills: its skills are not used, because the project is not trusted",
        ],
    );
    assert!(!ran.err.contains('\u{1b}'), "{}", ran.err.escape_debug());
}

// S3-01 S3-13
#[test]
fn a_skill_is_read_when_it_is_needed_and_survives_the_compaction() {
    let long = "A long story of words that say very little. ".repeat(1_000);
    let script = Script::new()
        .then(Answer::call("c1", "use_skill", json!({"name": "fix"})))
        .then(Answer::text("I add slowly."));
    let script = (0..6).fold(script, |script, _| script.then(Answer::text(&long)));
    let stage =
        Stage::new(script.then(Answer::text("The user asked for stories; all were written.")).repeat_last());
    stage.put(".config/throughline/skills/fix/SKILL.md", SKILL);
    stage.put(".config/throughline/config.toml", "[compaction]\nsummary = \"thorough\"\n");
    stage.ends_well("repo", &["Fix it."]);
    assert!(stage.system(0).contains("- fix: Adds sums."), "{}", stage.system(0));
    assert!(!stage.system(0).contains("Add both numbers, slowly."));
    let answered = stage.bodies()[1]["messages"].to_string();
    assert!(answered.contains("Add both numbers, slowly."), "{answered}");

    // Taken up again, the prompt is the one that is cached.
    for _ in 0..6 {
        stage.ends_well("repo", &["-c", "A story."]);
    }
    assert!((1..8).all(|request| stage.system(request) == stage.system(0)));

    // After a compaction the skill's text is in the prompt, also for the next process.
    stage.ends_well("repo", &["-c", "/compact"]);
    stage.ends_well("repo", &["-c", "Continue."]);
    let last = stage.bodies().len() - 1;
    in_order(&stage.system(last), &["- fix: Adds sums.", "# Skill: fix", "Add both numbers, slowly."]);
    assert!(!stage.bodies()[last]["messages"].to_string().contains("Add both numbers, slowly."));
    let report = run(&mut stage.place.bare(&["context", "last", "--any-folder", "--json"])).json();
    assert!(report["window"]["used"]["skills"].as_u64().unwrap() > 30, "{report}");
}

#[test]
fn an_output_style_replaces_the_instructions_for_code_or_comes_behind_them() {
    const CODING: &str = "Make the smallest change that does the whole task.";
    const POET: &str = "---\nname: Poet\ndescription: Rhymes\n---\nAnswer in rhymes.\n";
    let stage = Stage::new(Script::new().then(Answer::text("Done.")).repeat_last());
    stage.put(".config/throughline/output-styles/poet.md", POET);
    let with = |style: &str| format!("[agent]\noutput_style = \"{style}\"\n");
    stage.ends_well("repo", &["Hello."]);
    let usual = stage.system(0);
    assert!(usual.contains(CODING) && !usual.contains("Output style"), "{usual}");

    stage.put(".config/throughline/config.toml", &with("Poet"));
    stage.ends_well("repo", &["Hello."]);
    let poet = stage.system(1);
    in_order(
        &poet,
        &[
            "an agent with tools",
            "`read_result`",
            "# Output style: poet\n\nAnswer in rhymes.",
            "The working folder is",
        ],
    );
    assert!(!poet.contains(CODING), "{poet}");

    stage.put(".config/throughline/config.toml", &with("explanatory"));
    stage.ends_well("repo", &["Hello."]);
    in_order(&stage.system(2), &[CODING, "# Output style: explanatory", "The working folder is"]);

    stage.put(".config/throughline/config.toml", &with("pet"));
    let ran = stage.ends_well("repo", &["Hello."]);
    assert!(
        ran.err.contains("there is no output style \"pet\"; there are concise, explanatory, poet"),
        "{ran:?}"
    );
    assert_eq!(stage.system(3), usual);
}
