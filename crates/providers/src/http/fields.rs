//! Fields of bodies and answers that several clients share.

use serde_json::Value;
use throughline_completion::ModelError;

/// The body with these of its fields: endpoints that do not answer take fewer.
pub(crate) fn only(mut body: Value, names: &[&str]) -> Value {
    if let Value::Object(fields) = &mut body {
        fields.retain(|name, _| names.contains(&name.as_str()));
    }
    body
}

/// The tokens that an answer to a count holds in this field.
///
/// # Errors
/// [`ModelError::InvalidRequest`] if it holds none: what answered is no such API.
pub(crate) fn counted(answer: &Value, field: &str) -> Result<u64, ModelError> {
    answer.get(field).and_then(Value::as_u64).ok_or_else(|| ModelError::InvalidRequest {
        message: format!("the answer to a count of tokens holds no `{field}`; check the base URL"),
    })
}
