//! Reads the arguments of a call.

use serde_json::Value;

use crate::error::CallError;

/// Maximum bytes of a text that names something. Longer ones name nothing.
const NAME: usize = 200;

/// A text; `None` if it is absent, null or blank.
pub(crate) fn text<'v>(input: &'v Value, name: &str) -> Result<Option<&'v str>, CallError> {
    match input.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.trim()).filter(|text| !text.is_empty())),
        Some(_) => Err(CallError::input(format!("\"{name}\" must be a string"))),
    }
}

/// The name of a session; `None` leaves the choice to the tool.
pub(crate) fn session(input: &Value) -> Result<Option<&str>, CallError> {
    let name = text(input, "session")?;
    if name.is_some_and(|name| name.len() > NAME) {
        return Err(CallError::input(
            "\"session\" is longer than any session id; session_context lists the ids",
        ));
    }
    Ok(name)
}

/// A whole number. Digits in a string count: models write both.
pub(crate) fn count(input: &Value, name: &str, default: usize) -> Result<usize, CallError> {
    let number = match input.get(name) {
        None | Some(Value::Null) => return Ok(default),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value.as_u64().and_then(|number| usize::try_from(number).ok()),
    };
    number.ok_or_else(|| CallError::input(format!("\"{name}\" must be a whole number, 0 or more")))
}
