//! As much of HTTP/1.1 as clients of model providers use (RFC 9112).

mod body;
mod head;
mod incoming;
mod status;

pub(crate) use body::MOST_BYTES;
pub(crate) use head::Head;
pub(crate) use incoming::{Incoming, Request, read};
pub(crate) use status::phrase;

use crate::reply::Reply;

/// Why a request cannot be read. The connection ends behind the answer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(status: u16, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// The answer.
    pub(crate) fn reply(&self) -> Reply {
        let kind = if self.status == 413 { "request_too_large" } else { "invalid_request_error" };
        let error = serde_json::json!({"type": kind, "message": self.message});
        Reply::json(self.status, &serde_json::json!({"type": "error", "error": error})).closing()
    }
}
