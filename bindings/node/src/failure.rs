//! Errors on their way to JavaScript.

use napi::{Error, Status};
use serde_json::json;
use throughline_contexts::{CallError, ErrorCode};

/// An error whose message is the JSON of a [`CallError`]: its code, message and data.
pub(crate) fn failure(error: &CallError) -> Error {
    let CallError { code, message, data } = error;
    let json = json!({ "code": code, "message": message, "data": data });
    Error::new(Status::GenericFailure, json.to_string())
}

/// The error of an input that is no JSON of the right form.
pub(crate) fn invalid(message: impl Into<String>) -> Error {
    failure(&CallError::new(ErrorCode::InvalidInput, message))
}
