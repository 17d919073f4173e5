//! The definition of the tool that reads and writes the scratchpad.

use serde_json::json;
use throughline_conversation::{ToolDefinition, ToolOrigin};

/// The definition of `manage_scratchpad`. [`manage`](super::manage) runs its calls.
#[must_use]
pub fn manage_scratchpad_tool() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "action": {
                "type": "string",
                "enum": ["read", "update", "append", "section"],
                "description": "What to do."
            },
            "content": {
                "type": "string",
                "description": "The text, for update, append and section."
            },
            "heading": {
                "type": "string",
                "description": "The heading whose text is replaced, for section, such as Current Plan."
            },
            "expected_revision": {
                "type": "integer",
                "minimum": 0,
                "description": "The revision that you have read. When another one is in force, nothing is written."
            }
        },
        "required": ["action"]
    });
    ToolDefinition {
        name: "manage_scratchpad".to_owned(),
        description: include_str!("manage_scratchpad.md").trim_end().to_owned(),
        input_schema: schema,
        origin: ToolOrigin::Builtin,
    }
}
