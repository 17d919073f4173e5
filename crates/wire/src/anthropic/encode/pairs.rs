//! Calls of the provider's own tools and their results: the API takes neither without the other.
//!
//! The one exception is a call that the provider is still to answer. It has paused the turn, and continues from a body that ends
//! with the model's message; or the model called tools of both sides at once, and the body ends with nothing but results of the
//! client's (Anthropic documentation, "Server tools"; anthropic-sdk-typescript, issue 1090).

use std::collections::HashSet;

use serde_json::Value;
use throughline_conversation::Role;

use super::blocks::is;
use super::messages::WireMessage;

/// Id of the call that the block is.
pub(super) fn call_id(block: &Value) -> Option<&str> {
    let is_call = is(block, "server_tool_use") || is(block, "mcp_tool_use");
    block.get("id").filter(|_| is_call)?.as_str()
}

/// Id of the call that the block answers.
pub(super) fn answered_id(block: &Value) -> Option<&str> {
    let kind = block.get("type")?.as_str()?;
    let is_result = kind.ends_with("_tool_result") && kind != "tool_result";
    block.get("tool_use_id").filter(|_| is_result)?.as_str()
}

/// Returns true if the blocks have a call of the provider's own that none of them answers.
pub(super) fn has_open_call(blocks: &[Value]) -> bool {
    let answered: HashSet<&str> = blocks.iter().filter_map(answered_id).collect();
    blocks.iter().filter_map(call_id).any(|id| !answered.contains(id))
}

/// Returns true if the provider continues from the end of these messages: it is to answer a call of its own.
pub(super) fn is_continued(turns: &[WireMessage]) -> bool {
    match turns {
        [.., said] if said.role == Role::Assistant => has_open_call(&said.content),
        [.., said, results] => has_open_call(&said.content) && results.has_only_results(),
        _ => false,
    }
}

/// Leaves out calls without a result and results without a call.
pub(super) fn settle(turns: &mut [WireMessage]) {
    let open_end = is_continued(turns);
    let last_said = turns.iter().rposition(|turn| turn.role == Role::Assistant);
    let mut waiting: HashSet<String> = HashSet::new();
    let mut answered: HashSet<String> = HashSet::new();
    for turn in turns.iter_mut() {
        if turn.role == Role::User {
            // Anything but results ends the model's turn, and with it what was open.
            if !turn.has_only_results() {
                waiting.clear();
            }
            continue;
        }
        turn.content.retain(|block| {
            if let Some(id) = call_id(block) {
                waiting.insert(id.to_owned());
            }
            let Some(id) = answered_id(block) else { return true };
            let known = waiting.remove(id);
            known && answered.insert(id.to_owned())
        });
    }
    for (index, turn) in turns.iter_mut().enumerate() {
        let may_wait = open_end && Some(index) == last_said;
        turn.content.retain(|block| call_id(block).is_none_or(|id| may_wait || answered.contains(id)));
    }
}
