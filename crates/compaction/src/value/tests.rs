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
