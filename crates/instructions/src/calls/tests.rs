//! Which calls made a skill active.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Message, Role, ToolCall, ToolResult};

use super::activated;

fn call(id: &str, name: &str, input: Value) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: name.to_owned(), input })
}

#[test]
fn calls_that_were_answered_with_a_skill() {
    let asked = Message {
        role: Role::Assistant,
        content: vec![
            call("1", "use_skill", json!({"name": "fix"})),
            call("2", "use_skill", json!({"name": "none"})),
            call("3", "use_skill", json!({"name": "other", "file": "a.md"})),
            call("4", "read_file", json!({"name": "not-a-skill"})),
            call("5", "use_skill", json!({"name": "review", "file": null})),
            call("6", "use_skill", json!({"name": "open"})),
            call("7", "use_skill", json!({"name": "fix"})),
            call("8", "use_skill", json!([])),
        ],
    };
    let results = ["1", "3", "4", "5", "7", "8"].map(|id| ToolResult::text(id, "text")).into_iter();
    let results = Message::results(results.chain([ToolResult::error("2", "no such skill")]));
    assert_eq!(activated([&Message::user("Go."), &asked, &results]), ["fix", "review"]);
}
