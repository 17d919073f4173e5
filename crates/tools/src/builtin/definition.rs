//! The definition of a built-in tool.

use serde_json::Value;
use throughline_conversation::{ToolDefinition, ToolOrigin};

/// `description` is the text of the tool's `.md` file.
pub(super) fn definition(name: &str, description: &str, input_schema: Value) -> ToolDefinition {
    let description = description.trim_end().to_owned();
    ToolDefinition { name: name.to_owned(), description, input_schema, origin: ToolOrigin::Builtin }
}
