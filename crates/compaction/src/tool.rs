//! The tool by which the model asks for a compaction.

use serde_json::json;
use throughline_conversation::{ToolDefinition, ToolOrigin};

/// The tool `compact_context`. It takes no arguments and answers with one line of figures.
///
/// It runs inside a step, so the compaction itself waits until all calls of that step are answered.
#[must_use]
pub fn compact_context_tool() -> ToolDefinition {
    ToolDefinition {
        name: "compact_context".to_owned(),
        description: include_str!("../texts/compact_context.md").trim_end().to_owned(),
        input_schema: json!({ "type": "object", "properties": {}, "additionalProperties": false }),
        origin: ToolOrigin::Builtin,
    }
}
