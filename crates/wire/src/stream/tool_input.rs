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
/// a result can tell the model what was wrong. So do arguments with a whole number of more than 64 bits, which would be another one.
pub(crate) fn each(arguments: &Value) -> Vec<Value> {
    match arguments {
        Value::Object(_) => vec![exact(arguments.clone(), None)],
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
            Some(fields) => exact(Value::Object(fields), Some(text)),
            None => ToolCall::malformed_input(text),
        }];
    };
    objects.dedup();
    if objects.len() > 1 {
        objects.retain(|fields| !fields.is_empty());
    }
    objects.into_iter().map(|fields| exact(Value::Object(fields), Some(text))).collect()
}

/// The arguments, or the text that the model wrote if they have a number that was rounded: a tool that gets another number may do harm.
fn exact(arguments: Value, written: Option<&str>) -> Value {
    if !has_rounded(&arguments) {
        return arguments;
    }
    written.map_or_else(|| ToolCall::malformed_input(&arguments.to_string()), ToolCall::malformed_input)
}

/// Returns true if a number seems to be a whole one that does not fit 64 bits. As a float it has lost its last digits; one that has few
/// digits and a large exponent is what the model wrote.
fn has_rounded(value: &Value) -> bool {
    /// Digits of a float that are too many for one written by hand.
    const MANY_DIGITS: usize = 13;
    match value {
        Value::Number(number) if number.is_f64() => number.as_f64().is_some_and(|number| {
            let text = format!("{number:e}");
            let digits = text.split('e').next().unwrap_or_default().bytes().filter(u8::is_ascii_digit);
            number.abs() >= 2_f64.powi(63) && digits.count() >= MANY_DIGITS
        }),
        Value::Array(items) => items.iter().any(has_rounded),
        Value::Object(fields) => fields.values().any(has_rounded),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
