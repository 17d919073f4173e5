//! Answers and errors as JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use throughline::Error;
use throughline_text::error_chain;

/// What a path answers.
pub(crate) type Answer = Result<Json<Value>, Failure>;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// A parameter that cannot be used.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Missing(_) => StatusCode::NOT_FOUND,
            Error::Usage(_) => StatusCode::BAD_REQUEST,
            Error::Busy { .. } => StatusCode::CONFLICT,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let message = error_chain(&error);
        if status.is_server_error() {
            tracing::error!(error = message, "a request failed");
        }
        Self::new(status, message)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        (self.status, Json(json!({"error": {"message": self.message}}))).into_response()
    }
}
