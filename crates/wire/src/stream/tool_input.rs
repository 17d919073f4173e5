//! Arguments of a tool call as a model wrote them.

use serde_json::{Value, json};
use throughline_conversation::ToolCall;

use crate::stream::half_characters::HalfCharacters;

/// The arguments as a JSON object. No text at all, or `null`, means none.
///
/// Anything else becomes [`ToolCall::malformed_input`]: the call stays in the transcript under its id, so that
/// a result can tell the model what was wrong.
pub(crate) fn from_text(text: &str) -> Value {
    if matches!(text.trim(), "" | "null") {
        return json!({});
    }
    match serde_json::from_str(&HalfCharacters::default().joined(text)) {
        Ok(Value::Object(fields)) => Value::Object(fields),
        _ => ToolCall::malformed_input(text),
    }
}

/// The same for servers that send a value instead of a text.
pub(crate) fn from_value(value: &Value) -> Value {
    match value {
        Value::Object(_) => value.clone(),
        Value::String(text) => from_text(text),
        other => from_text(&other.to_string()),
    }
}
