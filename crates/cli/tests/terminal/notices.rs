//! What is said about a compaction, a turn that failed and one that ended, and where built-in prompts are listed.

use std::fs;

use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::place::{Place, serve};
use crate::tmux::Tmux;

const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (60, 15)];

#[test]
fn a_compaction_names_what_the_model_sees_no_more() {
    for (columns, rows) in SIZES {
        // More names than a summary lists.
        let early: String =
            (0..700).map(|row| format!("part_{row}/harbour_{row}.rs has pick_kestrel_{row}. ")).collect();
        let late = "The port is read once. ".repeat(150);
        let mut script = Script::new().then(Answer::text(&early));
        for _ in 0..4 {
            script = script.then(Answer::text(&late));
        }
        let server =
            serve(script.then(Answer::text("### Now\nTalking of ports.\n### Done\nA port was found.")));
        let place = Place::new();
        let screen = Tmux::start(&place, &server, (columns, rows), &[]);
        screen.ready();
        for _ in 0..5 {
            let before = server.received().len();
            screen.say("Continue.");
            screen.asked(&server, before + 1);
            screen.idle();
        }
        screen.say("/compact");
        screen.printed("pays back");
        screen.idle();
        let all = screen.all();
        let notice = all.rsplit_once("◆ compacted").unwrap().1;
        for part in ["names left:", "kestrel_", " more · the model can search for them"] {
            let joined = notice.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(joined.contains(part), "{columns}x{rows}: {part:?} is missing in:\n{notice}");
        }
        let wide = notice.lines().find(|line| line.chars().count() > usize::from(columns));
        assert_eq!(wide, None, "{columns}x{rows}");
    }
}

#[test]
fn a_turn_that_failed_says_what_happened_and_what_to_do() {
    for (columns, rows) in SIZES {
        let server = serve(Script::new().key("another-key").then(Answer::text("Never.")));
        let place = Place::new();
        let screen = Tmux::start(&place, &server, (columns, rows), &[]);
        screen.ready();
        screen.say("Hi.");
        screen.printed("failed after");
        let shown = screen.idle();
        let joined = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in [
            "! the provider rejects the credentials:",
            "The session is saved. Check the key: `throughline login`",
        ] {
            assert!(joined.contains(part), "{columns}x{rows}: {part:?} is missing in:\n{shown}");
        }
        assert!(!joined.contains("could not get an answer"), "{shown}");
    }
}

#[test]
fn a_receipt_stays_one_row_when_the_terminal_becomes_narrower() {
    let server = serve(
        Script::new()
            .then(Answer::call("c1", "read_file", json!({ "path": "a.txt" })))
            .then(Answer::text("Read."))
            .repeat_last(),
    );
    let place = Place::new();
    let screen = Tmux::start(&place, &server, (120, 30), &[]);
    screen.ready();
    screen.say("Read it.");
    screen.asked(&server, 2);
    for columns in [80, 60, 40] {
        screen.resize(columns, 30);
        let shown = screen.idle();
        let rows: Vec<&str> = shown.lines().collect();
        let at = rows.iter().position(|row| row.starts_with("── ")).unwrap_or_else(|| panic!("{shown}"));
        assert!(rows[at].ends_with(" ──") && rows[at].contains("1 call"), "{columns}: {shown}");
        assert!(!rows[at + 1].contains('─'), "{columns}: {shown}");
    }
}

#[test]
fn built_in_prompts_are_not_listed_as_the_projects() {
    let place = Place::new();
    let folder = place.work().join(".throughline/commands");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("deploy.md"), "Deploy $ARGUMENTS to the test machine.").unwrap();
    assert!(place.bare(&["trust"]).output().unwrap().status.success());
    let server = serve(Script::new().then(Answer::text("Hello.")));
    let screen = Tmux::start(&place, &server, (100, 40), &[]);
    screen.ready();
    screen.text("/init");
    let shown = screen.shows("Write AGENTS.md");
    assert!(shown.contains("\n  prompts\n") && !shown.contains("\n  this project\n"), "{shown}");
    screen.key("C-c");
    screen.text("/deploy");
    let shown = screen.shows("Deploy $ARGUMENTS");
    assert!(shown.contains("\n  this project\n"), "{shown}");
    screen.key("C-c");
    screen.say("/help");
    let all = screen.printed("`?` in an empty input shows the keys.");
    let (_, prompts) = all.rsplit_once("\nprompts\n").unwrap_or_else(|| panic!("{all}"));
    let (own, project) = prompts.split_once("\nthis project\n").unwrap_or_else(|| panic!("{all}"));
    assert!(own.contains("/init") && own.contains("/review") && project.contains("/deploy"), "{all}");
}
