//! Prompts that begin with `/`.

use serde_json::Value;
use throughline_testserver::{Answer, Script};

use crate::lived::{Lived, MODEL};
use crate::place::{Place, serve};
use crate::ran::{assert_says, run};

/// The words of a text without ages in seconds, which differ between two commands.
fn ageless(text: &str) -> Vec<&str> {
    let age = |word: &&str| {
        word.strip_suffix('s').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    text.split_whitespace().filter(|word| !age(word)).collect()
}

// S4-15 S4-16 S4-17 S4-24
#[test]
fn commands_do_what_the_subcommands_do_and_ask_no_model() {
    let lived = Lived::new();
    let slash = |line: &str| lived.run(&["run", "-c", line]);
    // There is no provider in this environment, so a request would fail.
    assert_eq!(
        ageless(&slash("/messages list 2").done()),
        ageless(&lived.run(&["messages", "list", &lived.id, "2"]).done())
    );
    assert_eq!(
        ageless(&slash("/message show 1").done()),
        ageless(&lived.run(&["messages", "show", &lived.id, "1"]).done())
    );
    assert_eq!(slash("/context show").done(), lived.run(&["context", &lived.id, "show"]).done());
    assert_says(&slash("/undo").done(), &["Undid turn 3 (\"Say three.\")"]);
    assert_says(&slash("/redo").done(), &["Restored turn 3 (\"Say three.\")."]);
    assert_says(&slash("/context drop 2").done(), &["Hid turn 2 (\"Say two.\")"]);
    assert_says(&slash("/context restore 2").done(), &["Restored turn 2"]);
    assert_says(
        &slash("/context window 1").done(),
        &["The window is the newest turn.", "The model sees turn 3.", "window 0"],
    );
    assert_says(&slash("/context").done(), &["LARGEST ITEMS", &lived.id]);
    assert_says(&slash("/context rebuild").done(), &["Regenerated STATE by rule"]);
    assert_says(&slash("/session state").done(), &["Say three."]);
    assert_says(&slash("/summaries").done(), &["has no summary yet"]);
    assert_says(&slash("/message remove 1").failed(), &["--yes to confirm"]);
    assert_says(&slash("/message remove 1 --yes").done(), &["Deleted turn 1", "permanently"]);
    assert_says(&lived.run(&["run", "/help"]).done(), &["/undo", "/session scratchpad"]);
    let mut json = lived.command(&["run", "-c", "-o", "json", "/messages list"]);
    let object: Value = serde_json::from_str(&run(&mut json).done()).unwrap();
    assert_eq!((&object["type"], &object["command"]), (&"command".into(), &"/messages list".into()));
    assert_eq!(object["answer"][0]["status"], "removed");
}

#[test]
fn an_unknown_command_is_reported_and_not_sent_to_a_model() {
    let lived = Lived::new();
    assert_says(
        &lived.run(&["run", "-c", "/undoo"]).misused(),
        &["there is no command /undoo", "did you mean /undo?"],
    );
    assert_says(
        &lived.run(&["run", "-c", "/context window x"]).misused(),
        &["or 0 for all", "write: /context"],
    );
    assert_says(&lived.run(&["run", "/undo"]).misused(), &["--continue or --resume"]);
}

#[test]
fn the_help_of_a_run_lists_the_prompts_and_no_command_of_the_screen() {
    let help = run(&mut Place::new().bare(&["run", "/help"])).done();
    assert_says(&help, &["/compact [--preview] [INSTRUCTIONS]", "/review", "/init"]);
    assert!(!help.contains("/vim"), "{help}");
}

#[test]
fn a_path_is_a_message_to_the_model() {
    let lived = Lived::new();
    let server = serve(Script::new().then(Answer::text("So it is.")).then(Answer::text("No.")));
    for prompt in ["/etc/hosts is empty", " /undo is what I typed"] {
        let ran = run(&mut lived.place.asks(&server, MODEL, &["-c", prompt]));
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(server.received().last().unwrap().body.to_string().contains(prompt.trim()));
    }
}

// S3-23
#[test]
fn compact_asks_the_model_for_a_summary_and_reports() {
    let lived = Lived::new();
    let long = "A long story of words that say very little. ".repeat(1_000);
    let summary = "The user asked for numbers and for stories; all were written.";
    let script = (0..5).fold(Script::new(), |script, _| script.then(Answer::text(&long)));
    let script = script.then(Answer::text("Short.")).then(Answer::text(summary)).repeat_last();
    let server = serve(script);
    for prompt in ["A story.", "Another.", "Another.", "Another.", "Another.", "A short one."] {
        assert_eq!(run(&mut lived.place.asks(&server, MODEL, &["-c", prompt])).code, Some(0));
    }
    let ran = run(&mut lived.place.asks(&server, MODEL, &["-c", "/compact"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_says(
        &ran.out,
        &[
            "Compacted ",
            " messages, ",
            " tokens",
            "Price: ",
            "throughline context",
            " diff",
            "undo",
            "--compaction",
        ],
    );
    let rows = lived.run(&["summaries", &lived.id, "--json"]).json();
    assert_eq!(rows[0]["status"], "in_force", "{rows}");
    assert_says(
        &lived.run(&["diff", &lived.id]).done(),
        &["compaction 1 of 1", "trigger: manual", "the summary:"],
    );
    let shown = lived.run(&["messages", "list", &lived.id, "--json"]).json();
    assert_eq!(shown[0]["shown"], "summary", "{shown}");
}
