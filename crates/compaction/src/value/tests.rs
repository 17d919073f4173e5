//! Which results are values, and of what.

use serde_json::json;

use super::*;

fn value(input: serde_json::Value, content: &str) -> Option<String> {
    let call = ToolCall { id: "c1".to_owned(), name: "run".to_owned(), input };
    let result = ToolResult {
        call_id: "c1".to_owned(),
        content: content.to_owned(),
        is_error: false,
        images: Vec::new(),
    };
    value_of(&call, &result).map(|(key, value)| format!("{key}={value}"))
}

#[test]
fn one_short_line_with_something_new_is_a_value() {
    let hash = json!({"command": "git rev-parse HEAD"});
    assert_eq!(value(hash, "3f2a9c1e\n").as_deref(), Some("git rev-parse HEAD=3f2a9c1e"));
    let rows = json!({"table": "pending_events"});
    assert_eq!(value(rows, "1243 rows").as_deref(), Some("pending_events=1243 rows"));
    let setting = json!({"file": "app.toml", "key": "timeout_ms"});
    assert_eq!(value(setting, "timeout_ms = 7137").as_deref(), Some("app.toml timeout_ms=7137"));
}

#[test]
fn an_acknowledgement_a_listing_and_a_call_without_a_text_are_none() {
    let edit = json!({"path": "src/lib.rs"});
    assert_eq!(value(edit.clone(), "ok"), None);
    assert_eq!(value(edit.clone(), "The file src/lib.rs was written"), None);
    assert_eq!(value(edit, "src/main.rs\nsrc/other.rs"), None);
    assert_eq!(value(json!({}), "session_41"), None);
}

#[test]
fn a_value_and_its_key_are_short() {
    let line = |bytes: usize| format!("1234 {}", "a".repeat(bytes - 5));
    for (key, content, is_value) in [
        ("k".to_owned(), line(200), true),
        ("k".to_owned(), line(201), false),
        ("k".repeat(100), "1234".to_owned(), true),
        ("k".repeat(101), "1234".to_owned(), false),
        ("two\nlines".to_owned(), "1234".to_owned(), false),
        ("k".to_owned(), "123".to_owned(), true),
        ("k".to_owned(), "12".to_owned(), false),
        ("number 1234".to_owned(), "1234".to_owned(), false),
        ("k".to_owned(), "12ab4".to_owned(), false),
        ("k".to_owned(), "you must use 1234".to_owned(), false),
        ("k".to_owned(), "see r-0123456789abcdef".to_owned(), false),
        ("k".to_owned(), "  ".to_owned(), false),
        ("k".to_owned(), "1234\n5678".to_owned(), false),
        ("src/main.rs".to_owned(), "src/main.rs".to_owned(), false),
        ("main_file".to_owned(), "src/main.rs".to_owned(), true),
    ] {
        assert_eq!(value(json!({"key": key}), &content).is_some(), is_value, "{key}: {content}");
    }
    let call = ToolCall { id: "c1".to_owned(), name: "run".to_owned(), input: json!({"key": "k"}) };
    assert_eq!(value_of(&call, &ToolResult::error("c1", "1234")), None);
}

/// The pairs of a result of a call with these arguments.
fn of(input: serde_json::Value, content: &str) -> String {
    let call = ToolCall { id: "c1".to_owned(), name: "run".to_owned(), input };
    let pairs = pairs_of(&call, &ToolResult::text("c1", content));
    pairs.into_iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}

#[test]
fn pairs_of_a_result_have_the_name_of_what_was_asked_for() {
    let content = "port: 5413\nstate: open\norder-17 total: 812";
    for (input, expected) in [
        (json!({}), "port=5413 order-17 total=812"),
        (json!({"id": "order-17"}), "order-17 port=5413 order-17 total=812"),
        (
            json!({"path": "/home/me/app/conf.toml"}),
            "app/conf.toml port=5413 app/conf.toml order-17 total=812",
        ),
        (json!({"say": "two words"}), "port=5413 order-17 total=812"),
        (json!({"id": "k".repeat(51)}), "port=5413 order-17 total=812"),
    ] {
        assert_eq!(of(input, content), expected);
    }
    let key = "k".repeat(50);
    assert_eq!(of(json!({"id": key}), "port: 5413"), format!("{key} port=5413"));
}

#[test]
fn a_result_that_is_not_made_of_pairs_has_none() {
    let list = |count: usize| (0..count).map(|at| format!("key-{at}: v1234\n")).collect::<String>();
    let json = |bytes: usize| format!("{{\"a\": 1234{}}}", " ".repeat(bytes - 11));
    for (content, count) in [
        (list(40), 40),
        (list(41), 0),
        (json(4_000), 1),
        (json(4_001), 0),
        // Ten bytes of 20, and of 21.
        ("port: 5413\nxxxxxxxxx".to_owned(), 1),
        ("port: 5413\nxxxxxxxxxx".to_owned(), 0),
        ("port: 5413\nsee r-0123456789abcdef: it".to_owned(), 0),
        ("port: 5413\nyou must".to_owned(), 0),
        (String::new(), 0),
    ] {
        let found = of(json!({}), &content);
        assert_eq!(found.split_whitespace().count(), count, "{content}");
    }
    let call = ToolCall { id: "c1".to_owned(), name: "run".to_owned(), input: json!({}) };
    assert_eq!(pairs_of(&call, &ToolResult::error("c1", "port: 5413")), []);
}

#[test]
fn names_and_long_numbers_can_be_guessed_least() {
    for (value, expected) in [
        ("team_blue", 1.0),
        ("4f2a9c1e", 1.0),
        ("at 812", 1.0),
        ("81", 0.5),
        ("v8", 0.5),
        ("Kim", 0.5),
        ("open", 0.3),
        ("", 0.3),
    ] {
        assert!((specificity(value) - expected).abs() < 1e-9, "{value}");
    }
}
