//! Errors in the form of the protocol.

use agent_client_protocol::{Error, ErrorCode};
use serde_json::json;
use throughline_conversation::SessionId;
use throughline_text::{cut_end, error_chain};

/// Bytes of a text of the client that an error repeats.
pub(crate) const REPEATED: usize = 40;

/// What the client sent cannot be used. The text says what would be right.
pub(crate) fn input(why: impl Into<String>) -> Error {
    Error::new(ErrorCode::INVALID_PARAMS, why)
}

/// What was asked for is not possible now.
pub(crate) fn refused(why: impl Into<String>) -> Error {
    Error::new(ErrorCode::INVALID_REQUEST, why)
}

/// Something failed here.
pub(crate) fn broken(why: impl Into<String>) -> Error {
    Error::new(ErrorCode::INTERNAL_ERROR, why)
}

/// There is no such session, or it is not open.
pub(crate) fn missing(session: &str, why: impl Into<String>) -> Error {
    Error::new(ErrorCode::RESOURCE_NOT_FOUND, why).data(json!({ "sessionId": session }))
}

/// The error of the library, by what the client can do about it.
pub(crate) fn of_library(error: &throughline_stored::Error) -> Error {
    let text = error_chain(error);
    match error {
        throughline_stored::Error::Model(error) if error.needs_login() => {
            Error::new(ErrorCode::AUTH_REQUIRED, text)
        }
        throughline_stored::Error::Missing(_) => Error::new(ErrorCode::RESOURCE_NOT_FOUND, text),
        throughline_stored::Error::Usage(_) => input(text),
        error if error.is_wrong_setting() => input(text),
        error if error.is_refusal() => refused(text),
        _ => broken(text),
    }
}

/// Reads a session id. A text of another form is not looked up.
pub(crate) fn session_id(text: &str) -> Result<SessionId, Error> {
    SessionId::new(text).map_err(|_| {
        let cut = cut_end(text, REPEATED);
        let more = if cut.len() < text.len() { "…" } else { "" };
        input(format!(
            "the session id {cut:?}{more} is not 1 to 64 ASCII letters, digits, '-' or '_'; session/list has the ids"
        ))
    })
}
