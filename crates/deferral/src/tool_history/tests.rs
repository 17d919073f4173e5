//! Searches and calls of a log.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Message, Role, ToolCall, ToolDefinition, ToolResult};

use super::ToolHistory;
use crate::search_tool::render_hits;

fn call(id: &str, name: &str, input: Value) -> Message {
    let call = ToolCall { id: id.to_owned(), name: name.to_owned(), input };
    Message { role: Role::Assistant, content: vec![ContentBlock::ToolCall(call)] }
}

fn result(id: &str, content: String) -> Message {
    Message::results([ToolResult { call_id: id.to_owned(), content, images: Vec::new(), is_error: false }])
}

#[test]
fn found_tools_and_called_ones_are_known_by_their_newest_turn() {
    let mut history = ToolHistory::default();
    let tool = |name: &&str| ToolDefinition::new(*name, "x", json!({}));
    let hits = |names: &[&str]| render_hits(&names.iter().map(tool).collect::<Vec<_>>(), true);
    history.note(&call("a", "tool_search", json!({ "query": "x" })), 3);
    history.note(&result("a", hits(&["m1", "m2"])), 3);
    history.note(&call("b", "call_tool", json!({ "name": "m1", "input": {} })), 4);
    history.note(&result("b", hits(&["m3"])), 4);
    history.note(&call("c", "m4", json!({})), 5);
    let pairs = |of: &std::collections::BTreeMap<String, u64>| {
        of.iter().map(|(name, turn)| format!("{name} {turn}")).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&history.found), ["m1 3", "m2 3"]);
    assert_eq!(pairs(&history.used), ["m1 4", "m4 5", "tool_search 3"]);
}
