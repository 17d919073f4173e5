//! Definitions of the built-in tools.

use serde_json::{Value, json};
use throughline_conversation::{ToolDefinition, ToolOrigin};

/// The definition of a built-in tool that takes these properties and no others. `description` is the text of the tool's
/// `.md` file.
pub(super) fn definition(
    name: &str,
    description: &str,
    properties: Value,
    required: &[&str],
) -> ToolDefinition {
    let required = (!required.is_empty()).then(|| ("required", json!(required)));
    let fields = [("type", json!("object")), ("properties", properties)]
        .into_iter()
        .chain(required)
        .chain([("additionalProperties", json!(false))]);
    let input_schema = Value::Object(fields.map(|(name, value)| (name.to_owned(), value)).collect());
    let description = description.trim_end().to_owned();
    ToolDefinition { name: name.to_owned(), description, input_schema, origin: ToolOrigin::Builtin }
}
