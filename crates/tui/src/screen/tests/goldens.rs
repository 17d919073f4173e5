//! Whole sessions at two sizes.

use std::sync::Arc;

use expect_test::{expect, expect_file};
use serde_json::json;
use throughline_agent::Event;
use throughline_conversation::{AnswerIdentity, CompactionReceipt, Degradation, EditReason, Usage};

use super::Stage;
use crate::port::{CommandInfo, CompactionNotice, Earlier, Show, StatusLine, TurnCost, TurnState};

const ANSWER: &str = "## What was wrong\n\nThe parser took *every* dot for a **decimal point**, so `1..2` failed. \
    It is a range now, and the test that shows it is the third one below.\n\n\
    ```rust\nfn range(text: &str) -> Option<Range> {\n    text.split_once(\"..\")\n}\n```\n\n\
    | file | change |\n|---|---:|\n| src/parse.rs | +12 |\n| src/日本.rs | -3 |\n\n- tests pass\n- nothing else changed\n";

fn status() -> StatusLine {
    StatusLine {
        model: "anthropic/claude-sonnet-4-5".to_owned(),
        branch: Some("main".to_owned()),
        mode: "default".to_owned(),
        unguarded: false,
        context_percent: Some(43),
        context_tokens: Some(79_000),
        window_tokens: Some(184_000),
        compacts_at: Some(172_224),
        cached_percent: Some(96),
        dollars: Some(0.84),
        dollars_at_least: false,
        turn: TurnCost { dollars: Some(0.08), at_least: false, cached_percent: Some(91) },
        title: "the parser".to_owned(),
        ..StatusLine::default()
    }
}

/// The notice of a compaction.
fn compaction() -> Show {
    let receipt = CompactionReceipt {
        reason: EditReason::CompactThreshold,
        before_tokens: 168_204,
        after_tokens: 24_310,
        before_messages: 212,
        after_messages: 14,
        strategies: vec!["tool_clearing".to_owned(), "summary".to_owned()],
        rewritten_tokens: 19_870,
        pays_back_after: Some(3),
        trimmed: 38,
        pins: 2,
        lost: Vec::new(),
        lost_count: 0,
        blocked_ms: 4_200,
        authors: vec!["haiku-4-5".to_owned()],
        asked: Vec::new(),
    };
    let (dollars, dollars_at_least, notes) = (Some(0.061), false, Vec::new());
    Show::Compacted(Box::new(CompactionNotice { receipt, dollars, dollars_at_least, notes }))
}

/// A turn that reads, edits, tests and answers; the pictures on the way.
fn turn(columns: u16, rows: u16) -> String {
    let mut stage = Stage::new(columns, rows);
    let mut pictures = String::new();
    let mut picture = |stage: &Stage, what: &str| {
        pictures.push_str(&format!("=== {what}\n{}\n", stage.seen()));
    };
    stage.show(Show::Status(status()));
    picture(&stage, "at the start");
    stage.types("fix the parser\n");
    stage.turn(TurnState::Working);
    stage.event(Event::Thinking("**Looking** at the parser first.".to_owned()));
    stage.wait(4_200);
    picture(&stage, "thinking");
    stage.starts("1", "read_file", json!({ "path": "src/parse.rs" }));
    stage.ends("1", "read_file", &"line\n".repeat(312), false);
    let edit = json!({
        "path": "src/parse.rs",
        "old_string": "fn range() {\n    dots(1);\n}\n",
        "new_string": "fn range() {\n    dots(2);\n    whole();\n}\n",
    });
    stage.starts("2", "edit_file", edit);
    stage.ends("2", "edit_file", "Edited src/parse.rs", false);
    stage.starts("3", "shell", json!({ "command": "cargo test --workspace" }));
    stage.wait(2_000);
    for line in 1..=9 {
        let text = format!("\u{1b}[32mtest case_{line} ... ok\u{1b}[0m\n");
        stage.show(Show::ToolOutput { call_id: "3".to_owned(), text, waits: Arc::default() });
    }
    stage.types("and then commit\n");
    picture(&stage, "a command runs, and an input waits");
    let output: String = (1..=9).map(|line| format!("test case_{line} ... ok\n")).collect();
    stage.ends("3", "shell", &output, false);
    stage.show(compaction());
    stage.event(Event::Retrying { cause: "the service is overloaded".to_owned(), wait_ms: 2_000 });
    stage.event(Event::Degraded(Degradation {
        subsystem: "result store".to_owned(),
        fallback: "bounded inline result".to_owned(),
        cause: "disk full".to_owned(),
    }));
    for piece in ANSWER.split_inclusive(' ') {
        stage.event(Event::Text(piece.to_owned()));
        if piece.contains("Option<Range>") {
            picture(&stage, "the answer comes");
        }
    }
    let usage = Some(Usage { input: 10, cache_read: 90, cache_write: 0, output: 1_234, searches: 0 });
    stage.event(Event::Answered { usage, stop: "end_turn".to_owned(), identity: AnswerIdentity::default() });
    stage.wait(8_000);
    stage.turn(TurnState::Idle);
    picture(&stage, "done, and what waited is sent");
    assert_eq!(stage.acts(), [super::submit("fix the parser"), super::submit("and then commit")]);
    pictures
}

#[test]
fn a_turn_at_80_by_24() {
    expect_file!["goldens/turn_80x24.txt"].assert_eq(&turn(80, 24));
}

#[test]
fn a_turn_at_200_by_50() {
    expect_file!["goldens/turn_200x50.txt"].assert_eq(&turn(200, 50));
}

#[test]
fn a_turn_at_120_by_40() {
    expect_file!["goldens/turn_120x40.txt"].assert_eq(&turn(120, 40));
}

#[test]
fn a_turn_at_50_by_15() {
    expect_file!["goldens/turn_50x15.txt"].assert_eq(&turn(50, 15));
}

/// Pages of commands at this width.
fn pages(columns: u16) -> String {
    let mut stage = Stage::new(columns, 40);
    stage.show(Show::Status(status()));
    let help = "/messages list [N]               List the newest turns\n\
        /session scratchpad history [--full]\n                                 List its revisions\n\
        /config [KEY VALUE]              Show the settings or one of them, or set it in your settings file\n\n\
        `?` in an empty input shows the keys.";
    stage.show(Show::Page { title: "Help".to_owned(), text: help.to_owned() });
    let table = "COMPONENT       TOKENS  SHARE  CACHED  COST (LAST REQUEST)\n\
        tools            3,718     2%    100%  $0.0011\n\n\
        window 200,000 tokens: 16,384 reserved for output, compacts at 174,435, blocks at 179,943\n  \
        - result of call toolu_1 becomes a stub, readable as blob:0123456789abcdef0123456789abcdef";
    stage.show(Show::Page { title: String::new(), text: table.to_owned() });
    stage.seen()
}

#[test]
fn the_columns_of_a_table_that_is_too_wide_become_narrower() {
    let mut stage = Stage::new(64, 30);
    let table = "KIND     TOOLS                                   TURNS  MODEL          FOR\n\
                 explore  read_file, grep, list_files, use_skill      1  the session's  reads and searches the project\n\
                 general  all                                        12  the session's  a task of several steps\n\
                 A file .throughline/agents/NAME.md of a trusted project adds a kind.\n";
    stage.show(Show::Page { title: String::new(), text: table.to_owned() });
    expect![[r#"
        KIND     TOOLS             TURNS  MODEL          FOR
        explore  read_file, grep,      1  the session's  reads and
                 list_files,                             searches the
                 use_skill                               project
        general  all                  12  the session's  a task of
                                                         several steps
        A file .throughline/agents/NAME.md of a trusted project adds a
        kind.

        ────────────────────────────────────────────────────────────────
        › ▮Ask for a change, / for commands, ? for keys"#]]
    .assert_eq(&stage.seen());
}

#[test]
fn pages_hang_at_their_last_column() {
    expect_file!["goldens/pages_50.txt"].assert_eq(&pages(50));
    expect_file!["goldens/pages_120.txt"].assert_eq(&pages(120));
}

#[test]
fn a_turn_at_20_by_8() {
    expect_file!["goldens/turn_20x8.txt"].assert_eq(&turn(20, 8));
}

#[test]
fn a_resumed_session_looks_as_it_did() {
    let mut stage = Stage::new(80, 24);
    stage.show(Show::Restored(vec![
        Earlier::Notice("session \"the parser\", 3 hours ago".to_owned()),
        Earlier::User("fix the parser".to_owned()),
        Earlier::Tool {
            name: "shell".to_owned(),
            input: json!({ "command": "cargo test" }),
            is_error: true,
            result: "1 failed".into(),
            stored: None,
        },
        Earlier::Assistant("It is **fixed**.".to_owned()),
    ]));
    stage.show(Show::Page { title: "Context".to_owned(), text: "system  1,200\ntools   3,400\n".to_owned() });
    expect_file!["goldens/resumed.txt"].assert_eq(&stage.seen());
}

#[test]
fn completion_and_keys_stand_below_the_input() {
    let mut stage = Stage::new(80, 24);
    let command = |name: &str, arguments: &str, about: &str| CommandInfo {
        name: name.to_owned(),
        arguments: arguments.to_owned(),
        about: about.to_owned(),
        group: String::new(),
        anytime: false,
    };
    stage.show(Show::Commands(vec![
        command("/compact", "[WORDS]", "makes room in the window now"),
        command("/context", "", "what fills the window"),
        command("/model", "NAME", "switch model"),
    ]));
    stage.types("/co");
    let commands = stage.seen();
    stage.control('u');
    stage.types("?");
    let keys = stage.seen();
    expect_file!["goldens/below.txt"].assert_eq(&format!("{commands}\n===\n{keys}"));
}
