//! Answers and errors as JSON.

use axum::Json;
use axum::extract::rejection::JsonRejection;
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

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// A parameter that cannot be used.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn missing(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }
}

/// The body of a request.
pub(crate) fn body(given: Result<Json<Value>, JsonRejection>) -> Result<Value, Failure> {
    match given {
        Ok(Json(value @ Value::Object(_))) => Ok(value),
        Ok(_) => Err(Failure::input("the body must be a JSON object")),
        Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(Failure::new(rejection.status(), "the body is too large"))
        }
        Err(_) => Err(Failure::input(
            "the body must be a JSON object, with the header `Content-Type: application/json`",
        )),
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Missing(_) => StatusCode::NOT_FOUND,
            Error::Usage(_) => StatusCode::BAD_REQUEST,
            Error::Settings(_) => StatusCode::BAD_REQUEST,
            Error::Model(_) => StatusCode::SERVICE_UNAVAILABLE,
            refused if refused.is_refusal() => StatusCode::CONFLICT,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let message = error_chain(&error);
        if status == StatusCode::INTERNAL_SERVER_ERROR {
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
