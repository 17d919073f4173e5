//! Tool calls of an answer in a form that providers accept.

use crate::message::{ContentBlock, Message};
use crate::normalize::normalize_message;

/// Returns an answer that can be sent back: without blank texts, and empty if it says nothing, see [`normalize_message`]. Each
/// call has a name, an object as input, and an id that is not taken and that no other call of the answer has. Some servers restart
/// their call ids with each answer; two calls of one id would make every later request invalid, so the later call gets another id.
#[must_use]
pub fn with_free_ids(answer: &Message, is_taken: impl Fn(&str) -> bool) -> Message {
    let mut answer = normalize_message(answer).into_owned();
    let mut own: Vec<String> = Vec::new();
    for block in &mut answer.content {
        let ContentBlock::ToolCall(call) = block else { continue };
        let taken = |id: &String| is_taken(id) || own.contains(id);
        if call.id.is_empty() || taken(&call.id) {
            let stem = if call.id.is_empty() { "call" } else { call.id.as_str() };
            let free = (2_u64..).map(|number| format!("{stem}-{number}")).find(|id| !taken(id));
            call.id = free.unwrap_or_default();
        }
        own.push(call.id.clone());
    }
    answer
}
