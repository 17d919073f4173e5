//! Calls as lines.

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::change::changes_in;
use super::verb::subject;
use super::{FinishedCall, RunningCall, elapsed};
use crate::line::Line;

/// The lines, each behind a mark that shows its indentation.
fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| format!("|{}", line.text())).collect::<Vec<_>>().join("\n")
}

fn check(name: &str, input: &Value, is_error: bool, result: &str, expected: &Expect) {
    let call = FinishedCall {
        name,
        input,
        is_error,
        took: "1.2s",
        result: &result.into(),
        stored: None,
        excerpt: None,
    };
    expected.assert_eq(&text(&call.lines(60, false)));
}

#[test]
fn a_command_shows_the_ends_of_its_output() {
    let output: String = (1..=20).map(|line| format!("\u{1b}[32mline {line}\u{1b}[0m\n")).collect();
    check(
        "shell",
        &json!({ "command": "cargo test" }),
        false,
        &output,
        &expect![[r#"
            |  ✓ $ cargo test  20 lines · 1.2s
            |    ⋯ 17 lines · ctrl+o shows all
            |    line 18
            |    line 19
            |    line 20"#]],
    );
    check(
        "shell",
        &json!({ "command": "cd x\nmake \u{1b}[2J" }),
        true,
        "exit status 2",
        &expect![[r#"
            |  ✗ $ cd x …  1.2s
            |    cd x
            |    make ␛[2J
            |    exit status 2"#]],
    );
}

#[test]
fn a_listing_shows_its_size_alone() {
    check(
        "read_file",
        &json!({ "path": "src/main.rs" }),
        false,
        "a\nb\n",
        &expect!["|  ✓ read src/main.rs  2 lines · 1.2s"],
    );
    check(
        "grep",
        &json!({ "pattern": "fn main", "path": "src" }),
        true,
        "no such folder",
        &expect![[r#"
            |  ✗ search fn main in src  1.2s
            |    no such folder"#]],
    );
}

#[test]
fn a_line_of_which_a_part_leaves_stays_as_a_changed_line() {
    let shown = |old: &str| {
        let edit = json!({ "path": "a.rs", "old_string": old, "new_string": "" });
        let call = FinishedCall {
            name: "edit_file",
            input: &edit,
            is_error: false,
            took: "1.2s",
            result: &"Edited".into(),
            stored: None,
            excerpt: None,
        };
        text(&call.lines(60, false))
    };
    for (old, expected) in [("pub ", "+1 −1"), ("a,\nb", "+1 −2"), ("a\n", "+0 −1"), ("\na", "+0 −1")]
    {
        assert!(shown(old).contains(expected), "{old:?}: {}", shown(old));
    }
}

#[test]
fn an_edit_shows_its_difference() {
    let edit = json!({ "path": "a.rs", "old_string": "a\nb\n", "new_string": "a\nc\n" });
    check(
        "edit_file",
        &edit,
        false,
        "Edited",
        &expect![[r#"
            |  ✓ edit a.rs  +1 −1 · 1.2s
            |      a
            |    - b
            |    + c"#]],
    );
    check(
        "edit_file",
        &edit,
        true,
        "old_string is not in a.rs.",
        &expect![[r#"
            |  ✗ edit a.rs  1.2s
            |    old_string is not in a.rs."#]],
    );
    let content: String = (1..=60).map(|line| format!("line {line}\n")).collect();
    let input = &json!({ "path": "b", "content": content });
    let call = FinishedCall {
        name: "write_file",
        input,
        is_error: false,
        took: "",
        result: &"Created".into(),
        stored: None,
        excerpt: None,
    };
    let lines = call.lines(60, false);
    assert_eq!(lines.len(), 1 + 6 + 1);
    expect!["    ⋯ 54 more lines"].assert_eq(&lines.last().unwrap().text());
}

#[test]
fn several_edits_and_what_else_was_asked_are_shown() {
    let edit = |old: &str, new: &str| json!({ "old_string": old, "new_string": new, "replace_all": true });
    let input = json!({ "path": "a.rs", "edits": [edit("a", "b"), edit("c", "d\ne")] });
    check(
        "multi_edit",
        &input,
        false,
        "Edited",
        &expect![[r#"
            |  ✓ edit a.rs  +3 −2 · 1.2s
            |    - a
            |    + b
            |      (in every place)
            |      ⋯
            |    - c
            |    + d
            |    + e
            |      (in every place)"#]],
    );
    let input = json!({ "command": "make", "timeout_seconds": 600 });
    expect![[r#"
        |make
        |timeout_seconds: 600"#]]
    .assert_eq(&text(&changes_in(None, "shell", &input)));
    let input = json!({ "command": "append", "path": "~/.bashrc", "content": "curl x | sh\n", "edits": 1 });
    expect![[r#"
        |append
        |content: "curl x | sh\n"
        |edits: 1"#]]
    .assert_eq(&text(&changes_in(None, "mcp_x", &input)));
    let unusual = json!({ "old_string": "a", "new_string": "b", "file": ".env" });
    let input = json!({ "path": ["a"], "edits": [edit("a", "b"), unusual, 7], "new_string": "c" });
    expect![[r#"
        |- a
        |+ b
        |  (in every place)
        |  ⋯
        |- a
        |+ b
        |path: ["a"]
        |edits: [{"old_string":"a","new_string":"b","replace_all":true},{"old_string":"a","new_string":"b","file":".env"},7]
        |new_string: "c""#]]
    .assert_eq(&text(&changes_in(None, "multi_edit", &input)));
    let input = json!({ "path": "a", "old_string": "a", "new_string": "b", "replace_all": "yes" });
    expect![[r#"
        |{
        |  "path": "a",
        |  "old_string": "a",
        |  "new_string": "b",
        |  "replace_all": "yes"
        |}"#]]
    .assert_eq(&text(&changes_in(None, "edit_file", &input)));
    let input = json!({ "path": "a", "old_string": "a", "new_string": "b", "replace_all": true });
    expect![[r#"
        |- a
        |+ b
        |  (in every place)"#]]
    .assert_eq(&text(&changes_in(None, "edit_file", &input)));
}

#[test]
fn a_checklist_shows_its_items() {
    let item = |description: &str, status: &str| json!({ "description": description, "status": status });
    let items = [item("read", "completed"), item("fix\u{1b}[2J", "in_progress"), item("test", "pending")];
    check(
        "update_checklist",
        &json!({ "items": items }),
        false,
        "1 of 3",
        &expect!["|  ✓ todo fix␛[2J  1 of 3 done · 1.2s"],
    );
    check(
        "update_checklist",
        &json!({ "items": [] }),
        true,
        "items is empty",
        &expect![[r#"
            |  ✗ todo  1.2s
            |    items is empty"#]],
    );
}

#[test]
fn what_is_kept_out_of_the_window_says_so() {
    let input = &json!({ "command": "cat big" });
    let call = FinishedCall {
        name: "shell",
        input,
        is_error: false,
        took: "",
        result: &"".into(),
        stored: Some(48_231),
        excerpt: None,
    };
    expect!["|  ✓ $ cat big  47 KB stored"].assert_eq(&text(&call.lines(60, false)));
}

#[test]
fn an_unknown_tool_shows_its_arguments() {
    expect![[r#"{"a":1,"b":"\u001b]0;x"}"#]]
        .assert_eq(&subject("mcp_x", &json!({ "a": 1, "b": "\u{1b}]0;x" })));
    expect![[r#"
        |{
        |  "a": 1
        |}"#]]
    .assert_eq(&text(&changes_in(None, "mcp_x", &json!({ "a": 1 }))));
    assert_eq!(subject("none", &json!({})), "");
}

#[test]
fn a_running_call_shows_its_newest_lines() {
    let start = Instant::now();
    let mut call = RunningCall::new("1".to_owned(), "shell".to_owned(), json!({ "command": "make" }), start);
    for line in 0..2_000 {
        call.push_output(&format!("line {line}\n"));
    }
    expect![[r#"
        |  ● $ make 1m 15s
        |    line 1998
        |    line 1999"#]]
    .assert_eq(&text(&call.lines(start + Duration::from_secs(75), 40)));
}

#[test]
fn times_are_short() {
    let shown = [0, 400, 9_940, 10_000, 59_999, 65_000, 3_600_000 * 2 + 180_000]
        .map(Duration::from_millis)
        .map(elapsed);
    expect!["0.0s 0.4s 9.9s 10s 59s 1m 05s 2h 03m"].assert_eq(&shown.join(" "));
}

#[test]
fn a_long_result_shows_its_true_end_and_counts_all_lines() {
    let result: String =
        (1..=100_000).map(|line| format!("{line}\n")).collect::<String>() + "[exit status: 0]";
    check(
        "shell",
        &json!({ "command": "seq 1 100000" }),
        false,
        &result,
        &expect![[r#"
            |  ✓ $ seq 1 100000  100,000 lines · 1.2s
            |    ⋯ 99,997 lines · ctrl+o shows all
            |    99998
            |    99999
            |    100000"#]],
    );
    check(
        "grep",
        &json!({ "pattern": "x" }),
        false,
        &result,
        &expect!["|  ✓ search x  100,000 matches · 1.2s"],
    );
    let one_line = "word ".repeat(10_000) + "end";
    check(
        "shell",
        &json!({ "command": "x" }),
        true,
        throughline_text::cut_start(&one_line, 8),
        &expect![[r#"
            |  ✗ $ x  1.2s
            |    word end"#]],
    );
}
