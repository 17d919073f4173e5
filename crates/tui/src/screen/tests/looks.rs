//! One session as each kind of terminal shows it, and what must hold on all of them.

use expect_test::expect_file;
use serde_json::json;
use throughline_agent::Event;
use throughline_conversation::{AnswerIdentity, CompactionReceipt, EditReason, ToolCall, Usage};
use throughline_permission::ApprovalRequest;
use throughline_tools::{Access, Effect};

use super::Stage;
use crate::palette::{Palette, Shade};
use crate::port::{CompactionNotice, EditExcerpt, Show, StatusLine, TurnCost, TurnState};

fn status() -> StatusLine {
    StatusLine {
        model: "anthropic/claude-sonnet-4-5".to_owned(),
        branch: Some("fix/last-line".to_owned()),
        mode: "ask".to_owned(),
        context_percent: Some(38),
        context_tokens: Some(69_879),
        window_tokens: Some(184_000),
        compacts_at: Some(172_224),
        cached_percent: Some(91),
        dollars: Some(0.84),
        turn: TurnCost { dollars: Some(0.08), at_least: false, cached_percent: Some(91) },
        ..StatusLine::default()
    }
}

fn edit() -> serde_json::Value {
    let old = "    lines = text.split(\"\\n\")\n    return lines[:-1]";
    json!({ "path": "src/parser.py", "old_string": old, "new_string": "    return text.splitlines()" })
}

fn excerpt() -> Box<EditExcerpt> {
    let around =
        |inside: &str| format!("def split_lines(text):\n    \"\"\"Lines.\"\"\"\n{inside}\n\n\ndef total():");
    let old = around("    lines = text.split(\"\\n\")\n    return lines[:-1]");
    Box::new(EditExcerpt::new(13, old, around("    return text.splitlines()")))
}

/// A question about an edit; the session waits for ever.
fn ask(stage: &mut Stage) {
    let (reply, answer) = tokio::sync::oneshot::channel();
    let call = ToolCall { id: "5".to_owned(), name: "edit_file".to_owned(), input: edit() };
    let access = Access::unnamed(Effect::Other);
    let why = "it changes a file".to_owned();
    let request = ApprovalRequest { call, access, why, rule: Some("edit(src/**)".to_owned()) };
    stage.show(Show::Approval { request, excerpt: Some(excerpt()), reply });
    std::mem::forget(answer);
    stage.wait(1_000);
}

/// Reads, an edit, a long output, a failed command, a compaction, a receipt, and a question.
fn session(stage: &mut Stage) {
    stage.show(Show::Welcome { title: "Throughline 0.1.0".to_owned(), text: "~/work/ledger".to_owned() });
    stage.show(Show::Status(status()));
    stage.types("Why is the last row lost? See @src/parser.py\n");
    stage.turn(TurnState::Working);
    stage.event(Event::Text("I will read **the parser** and its tests.\n\n".to_owned()));
    for (id, path) in [("1", "src/parser.py"), ("2", "tests/test_parser.py")] {
        stage.starts(id, "read_file", json!({ "path": path }));
    }
    stage.starts("3", "grep", json!({ "pattern": "split_lines", "path": "." }));
    // They end in another order.
    stage.ends("3", "grep", "a\nb\n", false);
    stage.ends("2", "read_file", &"line\n".repeat(15), false);
    stage.ends("1", "read_file", &"line\n".repeat(28), false);
    stage.starts("4", "edit_file", edit());
    stage.show(Show::Change { call_id: "4".to_owned(), excerpt: excerpt() });
    stage.ends("4", "edit_file", "Edited", false);
    stage.starts("6", "shell", json!({ "command": "python3 -m unittest -v" }));
    stage.wait(6_200);
    let rows: String = (1..=398).map(|row| format!("test_row_{row} ... ok\n")).collect();
    stage.ends("6", "shell", &format!("{rows}Ran 400 tests\nOK\n[exit status: 0]"), false);
    stage.starts("7", "shell", json!({ "command": "python3 -m unittest tests.test_missing" }));
    let failed = "E\n====\nERROR: test_missing\n----\nImportError: Failed to import\n----\nTraceback\n  File\n\n\
        ----\nRan 1 test in 0.000s\n\nFAILED (errors=1)\n[exit status: 1]";
    stage.ends("7", "shell", failed, true);
    stage.starts("8", "shell", json!({ "command": "python3 --version" }));
    stage.ends("8", "shell", "Python 3.11.7\n[exit status: 0]", false);
    let receipt = CompactionReceipt {
        reason: EditReason::CompactThreshold,
        before_tokens: 168_204,
        after_tokens: 24_310,
        before_messages: 212,
        after_messages: 14,
        strategies: vec!["summary".to_owned()],
        rewritten_tokens: 19_870,
        pays_back_after: Some(3),
        trimmed: 38,
        pins: 2,
        lost: Vec::new(),
        lost_count: 0,
        blocked_ms: 0,
        authors: vec!["haiku-4-5".to_owned()],
        asked: Vec::new(),
    };
    let (dollars, dollars_at_least, notes) = (Some(0.061), false, Vec::new());
    stage.show(Show::Compacted(Box::new(CompactionNotice { receipt, dollars, dollars_at_least, notes })));
    stage.event(Event::Text("The cause is `split_lines`, and `→` stays.\n".to_owned()));
    let usage = Some(Usage { input: 10, cache_read: 90, cache_write: 0, output: 1_234, searches: 0 });
    stage.event(Event::Answered { usage, stop: "end_turn".to_owned(), identity: AnswerIdentity::default() });
    stage.wait(30_000);
    stage.turn(TurnState::Idle);
    ask(stage);
}

fn seen(columns: u16, ascii: bool) -> String {
    let stage = Stage::new(columns, 90);
    let mut stage = if ascii { stage.in_ascii() } else { stage };
    session(&mut stage);
    stage.seen() + "\n"
}

#[test]
fn a_session_at_each_width() {
    expect_file!["goldens/look_40.txt"].assert_eq(&seen(40, false));
    expect_file!["goldens/look_60.txt"].assert_eq(&seen(60, false));
    expect_file!["goldens/look_80.txt"].assert_eq(&seen(80, false));
    expect_file!["goldens/look_120.txt"].assert_eq(&seen(120, false));
}

#[test]
fn a_session_in_ascii() {
    expect_file!["goldens/look_ascii_60.txt"].assert_eq(&seen(60, true));
    expect_file!["goldens/look_ascii_80.txt"].assert_eq(&seen(80, true));
    let marks = seen(80, true).chars().filter(|letter| !letter.is_ascii()).collect::<String>();
    assert_eq!(marks, "");
}

/// All that was printed, with the codes of colours as `{…}`.
fn codes(palette: Palette) -> String {
    let mut stage = Stage::new(80, 90).in_colours(palette);
    session(&mut stage);
    let screen = stage.terminal.screen();
    let mut out = String::new();
    for row in screen.rows_formatted(0, 80) {
        out.push_str(row.replace("\u{1b}[", "{").trim_end());
        out.push('\n');
    }
    out.trim_end().to_owned() + "\n"
}

#[test]
fn a_session_in_each_palette() {
    expect_file!["goldens/look_none.txt"].assert_eq(&codes(Palette::None));
    expect_file!["goldens/look_16.txt"].assert_eq(&codes(Palette::Terminal));
    expect_file!["goldens/look_dark.txt"].assert_eq(&codes(Palette::True(Shade::Dark)));
    expect_file!["goldens/look_light.txt"].assert_eq(&codes(Palette::True(Shade::Light)));
}

#[test]
fn what_is_printed_has_no_spaces_at_its_end() {
    for columns in [40, 80, 120] {
        let mut stage = Stage::new(columns, 30);
        let mut printed = Vec::new();
        session(&mut stage);
        printed.extend(stage.screen.take_printed());
        stage.terminal.screen_mut().set_scrollback(usize::MAX);
        let above = stage.terminal.screen().scrollback();
        for back in (1..=above).rev() {
            stage.terminal.screen_mut().set_scrollback(back);
            let row = stage.terminal.screen().rows(0, columns).next().unwrap_or_default();
            assert_eq!(row.trim_end_matches(' '), row, "{columns}");
        }
        assert!(above > 20 && printed.is_empty());
    }
}

#[test]
fn while_a_question_waits_nothing_is_written() {
    let mut stage = Stage::new(80, 40);
    session(&mut stage);
    stage.wait(1_000);
    stage.written.clear();
    for _ in 0..50 {
        stage.wait(120);
    }
    assert_eq!(stage.written, "");
}

#[test]
fn a_mode_is_news_for_three_seconds() {
    let mut stage = Stage::new(80, 20);
    stage.show(Show::Status(status()));
    assert!(!stage.screen.ticks());
    stage.show(Show::Status(StatusLine { mode: "plan".to_owned(), ..status() }));
    assert!(stage.screen.ticks() && stage.seen().contains("\nplan  38%"), "{}", stage.seen());
    stage.wait(3_000);
    assert!(!stage.screen.ticks(), "nothing is written while it is idle");
}
