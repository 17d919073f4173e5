//! What a call does, for a reader of its name.

use serde_json::json;

use super::*;

fn call(name: &str, input: Value) -> ToolCall {
    ToolCall { id: "c1".to_owned(), name: name.to_owned(), input }
}

#[test]
fn only_a_call_that_reads_shows_a_file() {
    let shown = |name: &str, input: Value| file_shown(&call(name, input));
    let path = Some("a.rs".to_owned());
    assert_eq!(shown("read_file", json!({"path": "a.rs"})), path);
    assert_eq!(shown("Read", json!({"file_path": "a.rs", "limit": 9})), path);
    assert_eq!(shown("str_replace_based_edit_tool", json!({"command": "view", "path": "a.rs"})), path);
    for (name, input) in [
        ("edit_file", json!({"path": "a.rs"})),
        ("save", json!({"path": "a.rs", "content": "x"})),
        ("grep", json!({"path": "a.rs", "pattern": "x"})),
        ("search", json!({"path": "a.rs", "query": "x"})),
        ("bash", json!({"command": "cat a.rs"})),
        ("think", json!({"text": "a.rs"})),
    ] {
        assert_eq!(shown(name, input.clone()), None, "{name} {input}");
    }
}

#[test]
fn a_call_is_about_its_path_its_command_or_its_first_text() {
    let about = |name: &str, input: Value| subject(&call(name, input));
    assert_eq!(about("read_file", json!({"path": "a.rs"})), "a.rs");
    assert_eq!(about("edit_file", json!({"path": "b.rs", "old_string": "x", "new_string": "y"})), "b.rs");
    assert_eq!(about("bash", json!({"command": "cd /x && cargo test 2>&1"})), "cd /x && cargo test 2>&1");
    assert_eq!(about("shell", json!({"command": ["git", "status"]})), "git status");
    assert_eq!(about("fetch", json!({"depth": 3, "url": "https://x.org"})), "https://x.org");
    assert_eq!(about("wait", json!({"seconds": 3})), "");
}
