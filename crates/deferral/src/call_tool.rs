//! The tool that calls a deferred tool, so that a found tool needs no place in the list of tools.

use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};

/// Name of the tool that calls deferred tools.
pub const CALL_TOOL: &str = "call_tool";

/// The definition of `call_tool`. In a catalogue with it a found tool is called by it until the list is planned the next time: the
/// list is at the very front of a request, and does not change.
#[must_use]
pub fn call_tool() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "description": "The tool's name." },
            "input": { "type": "object", "description": "The tool's arguments." }
        },
        "required": ["name", "input"]
    });
    ToolDefinition {
        name: CALL_TOOL.to_owned(),
        description: include_str!("call_tool.md").trim_end().to_owned(),
        input_schema: schema,
        origin: ToolOrigin::Builtin,
    }
}

/// The call that a call of `call_tool` means, with the same id. `None`: it is another tool's, or names no tool.
#[must_use]
pub fn deferred_call(call: &ToolCall) -> Option<ToolCall> {
    if call.name != CALL_TOOL {
        return None;
    }
    let name =
        call.input.get("name").and_then(Value::as_str).map(str::trim).filter(|name| !name.is_empty())?;
    let input = match call.input.get("input") {
        None | Some(Value::Null) => json!({}),
        // Models write an object in a text, too.
        Some(Value::String(text)) => serde_json::from_str(text).ok().filter(Value::is_object)?,
        Some(input) => Some(input.clone()).filter(Value::is_object)?,
    };
    (name != CALL_TOOL).then(|| ToolCall { id: call.id.clone(), name: name.to_owned(), input })
}

#[cfg(test)]
mod tests;
