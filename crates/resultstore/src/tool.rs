//! Definition of the tool that reads stored results.

use serde_json::json;
use throughline_conversation::{ToolDefinition, ToolOrigin};

use crate::request::{DEFAULT_LIMIT, MAX_PAGE_BYTES};

/// The definition of `read_result`. [`crate::ReadRequest::from_input`] reads its arguments.
#[must_use]
pub fn read_result_tool() -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "ref_id": {
                "type": "string",
                "description": "The reference, as the text in the result's place gives it, such as r-0123456789abcdef."
            },
            "offset": {
                "type": "integer",
                "minimum": 0,
                "default": 0,
                "description": "Byte to start at. With search: matches before it are skipped."
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_PAGE_BYTES,
                "default": DEFAULT_LIMIT,
                "description": "Most bytes to return."
            },
            "search": {
                "type": "string",
                "description": "Return the lines that have this text instead, whatever its case."
            }
        },
        "required": ["ref_id"]
    });
    ToolDefinition {
        name: "read_result".to_owned(),
        description: include_str!("read_result.md").trim_end().to_owned(),
        input_schema: schema,
        origin: ToolOrigin::Builtin,
    }
}

#[cfg(test)]
mod tests;
