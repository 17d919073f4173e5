//! Tools and their schemas in a form that every provider takes.

use serde_json::{Value, json};
use throughline_conversation::ToolDefinition;

/// The schema with the fields that providers require: `type` and `properties`.
pub(crate) fn wire_schema(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(fields) = &mut schema {
        for (name, value) in [("type", json!("object")), ("properties", json!({}))] {
            if !fields.contains_key(name) {
                fields.insert(name.to_owned(), value);
            }
        }
    }
    schema
}

/// A tool as a function in the form of Chat Completions, which is Ollama's too.
pub(crate) fn function_tool(tool: &ToolDefinition) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": wire_schema(&tool.input_schema),
        },
    })
}
