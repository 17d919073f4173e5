//! Answers and errors as JSON.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;
use axum::http::header::RETRY_AFTER;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use throughline::{ConnectError, Error};
use throughline_text::{error_chain, first_chars, nearest_name};

/// What a path answers.
pub(crate) type Answer = Result<Json<Value>, Failure>;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    message: String,
    /// Seconds after which the same request may succeed.
    retry_after: Option<u64>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), retry_after: None }
    }

    /// The same request may succeed after this many seconds.
    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
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

    /// The server itself failed.
    pub(crate) fn broken(message: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

/// Refuses a body with a field that is not among these.
pub(crate) fn fields(body: &Value, known: &[&str]) -> Result<(), Failure> {
    let other = |name: &&String| !known.contains(&name.as_str());
    let Some(name) = body.as_object().into_iter().flat_map(|fields| fields.keys()).find(other) else {
        return Ok(());
    };
    let near = nearest_name(name, known.iter().copied());
    let near = near.map_or(String::new(), |near| format!("; `{near}` is near"));
    let name = first_chars(name, 40);
    Err(Failure::input(format!("there is no field {name:?}{near}; the body takes {}", known.join(", "))))
}

/// A text in a body. `None`: it is not given.
pub(crate) fn text_field(body: &Value, name: &str) -> Result<Option<String>, Failure> {
    match body.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => {
            Err(Failure::input(format!("`{name}` is empty; leave it out, or give it a text")))
        }
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(Failure::input(format!("`{name}` must be a text"))),
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
            wrong if wrong.is_wrong_setting() => StatusCode::BAD_REQUEST,
            Error::Model(ConnectError::Usage(_)) => StatusCode::BAD_REQUEST,
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
        let mut response = (self.status, Json(json!({"error": {"message": self.message}}))).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
