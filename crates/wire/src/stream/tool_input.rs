//! Arguments of a tool call as a model wrote them.

use serde_json::{Deserializer, Map, Value, json};
use throughline_conversation::ToolCall;

use crate::stream::half_characters::HalfCharacters;
use crate::stream::nearly_json;

/// The arguments as JSON objects, one for each call; never empty. No text at all, or `null`, means an empty one.
///
/// Some models and gateways write several objects as the arguments of one call: an empty one next to the real one, the same one twice,
/// or those of several calls.
///
/// Anything that is no object becomes [`ToolCall::malformed_input`]: the call stays in the transcript under its id, so that
/// a result can tell the model what was wrong.
pub(crate) fn each(arguments: &Value) -> Vec<Value> {
    match arguments {
        Value::Object(_) => vec![arguments.clone()],
        Value::String(text) => each_of_text(text),
        other => each_of_text(&other.to_string()),
    }
}

/// The first of these arguments.
pub(crate) fn first(text: &str) -> Value {
    each_of_text(text).into_iter().next().unwrap_or_else(|| json!({}))
}

fn each_of_text(text: &str) -> Vec<Value> {
    if matches!(text.trim(), "" | "null") {
        return vec![json!({})];
    }
    let json = HalfCharacters::default().joined(text);
    let read: Result<Vec<Map<String, Value>>, _> = Deserializer::from_str(&json).into_iter().collect();
    let Ok(mut objects) = read else {
        return vec![match nearly_json::read(&json) {
            Some(fields) => Value::Object(fields),
            None => ToolCall::malformed_input(text),
        }];
    };
    objects.dedup();
    if objects.len() > 1 {
        objects.retain(|fields| !fields.is_empty());
    }
    objects.into_iter().map(Value::Object).collect()
}
