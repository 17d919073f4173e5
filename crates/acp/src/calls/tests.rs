//! Titles, kinds, places, diffs and plans of calls.

use std::path::Path;

use agent_client_protocol::v1::schema::ToolKind;
use serde_json::{Value, json};
use throughline_conversation::ToolCall;
use throughline_tools::{Access, Effect};
use throughline_tools::{ChangedFile, FileContent};

use super::*;

fn call(name: &str, input: Value) -> ToolCall {
    ToolCall { id: "c1".to_owned(), name: name.to_owned(), input }
}

fn access(effect: Effect, subject: &str) -> Access {
    Access { effect, subject: Some(subject.to_owned()) }
}

#[test]
fn a_title_is_one_line_of_bounded_length() {
    let long = "x".repeat(1_000);
    for (input, expected) in [
        (json!({ "command": "make test\nmake lint" }), "shell make test …"),
        (json!({ "command": "cd a; rm -r b && ls 2>&1; rm c" }), "shell cd a; rm -r b && ls 2>&1; rm c"),
        (json!({ "command": "printf '\u{1b}[31m'" }), "shell printf '\u{fffd}[31m'"),
        (json!({}), "shell"),
    ] {
        assert_eq!(title(&call("shell", input)), expected);
    }
    assert!(title(&call("shell", json!({ "command": long }))).chars().count() <= TITLE + 1);
}

#[test]
fn a_kind_follows_the_declared_effect() {
    let search = call("grep", json!({ "pattern": "x" }));
    assert_eq!(kind(&search, Some(&access(Effect::Read, "."))), ToolKind::Search);
    let read = call("read_file", json!({ "path": "a" }));
    assert_eq!(kind(&read, Some(&access(Effect::Read, "a"))), ToolKind::Read);
    assert_eq!(
        kind(&call("fetch", json!({ "url": "u" })), Some(&access(Effect::Network, "u"))),
        ToolKind::Fetch
    );
    // A tool of a server says nothing that is believed.
    assert_eq!(kind(&call("github_delete", json!({ "path": "a" })), None), ToolKind::Other);
}

#[test]
fn a_place_is_absolute_and_has_the_line_of_a_reading() {
    let read = call("read_file", json!({ "path": "src/a.rs", "offset": 12 }));
    let places = locations(&read, Some(&access(Effect::Read, "src/a.rs")), Path::new("/work"));
    assert_eq!((places[0].path.as_path(), places[0].line), (Path::new("/work/src/a.rs"), Some(12)));
    assert!(locations(&read, Some(&access(Effect::Command, "ls")), Path::new("/work")).is_empty());
}

#[test]
fn asked_diffs_are_the_texts_that_are_replaced() {
    let edits = json!({ "path": "a", "edits": [
        { "old_string": "1", "new_string": "2" },
        { "old_string": "3", "new_string": "4" },
    ] });
    let diffs = asked_diffs(&call("multi_edit", edits), Path::new("/w"), None);
    let texts: Vec<_> = diffs.iter().map(|diff| (diff.old_text.as_deref(), &*diff.new_text)).collect();
    assert_eq!(texts, [(Some("1"), "2"), (Some("3"), "4")]);
    let write = call("write_file", json!({ "path": "a", "content": "new" }));
    let diffs = asked_diffs(&write, Path::new("/w"), Some("old".to_owned()));
    assert_eq!((diffs[0].old_text.as_deref(), &*diffs[0].new_text), (Some("old"), "new"));
    assert!(asked_diffs(&call("shell", json!({ "command": "x" })), Path::new("/w"), None).is_empty());
}

#[test]
fn a_made_diff_shows_texts_only() {
    let text = |text: &str| FileContent::Read { bytes: text.as_bytes().to_vec(), mode: 0o644 };
    let made = |before, after| made_diff(&ChangedFile { path: "/w/a".into(), before, after });
    let created = made(FileContent::Missing, text("new")).unwrap();
    assert_eq!((created.old_text, &*created.new_text), (None, "new"));
    let removed = made(text("old"), FileContent::Missing).unwrap();
    assert_eq!((removed.old_text.as_deref(), &*removed.new_text), (Some("old"), ""));
    let binary = FileContent::Read { bytes: vec![0xff], mode: 0o644 };
    assert!(made(text("old"), binary).is_none());
    assert!(made(text(&"x".repeat(DIFF + 1)), text("new")).is_none());
}

#[test]
fn a_fence_is_longer_than_any_in_the_text() {
    assert_eq!(fenced("a\n"), "```\na\n```");
    assert_eq!(fenced("a ```` b"), "`````\na ```` b\n`````");
}
