//! Messages that no provider accepts, in a form that they do.

use std::borrow::Cow;

use crate::message::{ContentBlock, Message, Role, ToolCall};

/// The name given to a call that names no tool. No tool has it, so the model reads an error.
const UNKNOWN_TOOL: &str = "unknown_tool";

/// Returns the message with every tool call in a form that providers accept: with the name of a tool, and with an object
/// as input. Some servers stream calls without a name.
#[must_use]
pub fn normalize_tool_calls(message: &Message) -> Cow<'_, Message> {
    let is_normal = |call: &ToolCall| !call.name.is_empty() && call.input.is_object();
    if message.tool_calls().all(is_normal) {
        return Cow::Borrowed(message);
    }
    let mut message = message.clone();
    for block in &mut message.content {
        if let ContentBlock::ToolCall(call) = block {
            name_tool(call);
            wrap_input(call);
        }
    }
    Cow::Owned(message)
}

/// Returns the message with its tool calls [normalized](normalize_tool_calls), and without texts that have nothing but white space.
/// Its content is empty if nothing is left that can be sent: no provider accepts a message of the model that has only thinking.
#[must_use]
pub fn normalize_message(message: &Message) -> Cow<'_, Message> {
    let only_thinks = message.role == Role::Assistant && !message.content.iter().any(says_something);
    if !only_thinks && !message.content.iter().any(is_blank) {
        return normalize_tool_calls(message);
    }
    let mut message = normalize_tool_calls(message).into_owned();
    message.content.retain(|block| !only_thinks && !is_blank(block));
    Cow::Owned(message)
}

fn is_blank(block: &ContentBlock) -> bool {
    matches!(block, ContentBlock::Text { text } if text.trim().is_empty())
}

fn says_something(block: &ContentBlock) -> bool {
    !is_blank(block) && !matches!(block, ContentBlock::Thinking(_))
}

/// Names a call that names no tool [`UNKNOWN_TOOL`]. Returns true if it did.
pub(crate) fn name_tool(call: &mut ToolCall) -> bool {
    let unnamed = call.name.is_empty();
    if unnamed {
        UNKNOWN_TOOL.clone_into(&mut call.name);
    }
    unnamed
}

/// Wraps an input that is not an object as `{"value": …}`. Returns true if it did.
pub(crate) fn wrap_input(call: &mut ToolCall) -> bool {
    let bare = !call.input.is_object();
    if bare {
        call.input = serde_json::json!({ "value": call.input.take() });
    }
    bare
}
