//! Calls that no provider takes back, in a form that they do.

use crate::{ContentBlock, Message, ToolCall};

/// The name of a call that names no tool. No tool has it, so the model is told so.
pub const UNKNOWN_TOOL: &str = "unknown_tool";

/// The message with each of its calls in a form that providers take back: with the name of a tool, and with an object as
/// input. `None`: they are in that form. Some servers stream calls whose name is never told.
#[must_use]
pub fn formed(message: &Message) -> Option<Message> {
    let is_formed = |call: &ToolCall| !call.name.is_empty() && call.input.is_object();
    if message.tool_calls().all(is_formed) {
        return None;
    }
    let mut message = message.clone();
    for block in &mut message.content {
        if let ContentBlock::ToolCall(call) = block {
            name_tool(call);
            wrap_input(call);
        }
    }
    Some(message)
}

/// Gives a call that names no tool a name. Whether it named none.
pub(crate) fn name_tool(call: &mut ToolCall) -> bool {
    let unnamed = call.name.is_empty();
    if unnamed {
        UNKNOWN_TOOL.clone_into(&mut call.name);
    }
    unnamed
}

/// Makes an object of an input that is none. Whether it was none.
pub(crate) fn wrap_input(call: &mut ToolCall) -> bool {
    let bare = !call.input.is_object();
    if bare {
        call.input = serde_json::json!({ "value": call.input.take() });
    }
    bare
}
