//! What a request says, whatever the protocol.

use serde_json::Value;

/// The head of a restored context.
pub(crate) const CONTEXT: &str = "[Previous Session Context]";

/// All texts in a body, joined.
pub(crate) fn text_of(body: &Value) -> String {
    match body {
        Value::String(text) => format!("{text}\n"),
        Value::Array(items) => items.iter().map(text_of).collect(),
        Value::Object(fields) => fields.values().map(text_of).collect(),
        _ => String::new(),
    }
}
