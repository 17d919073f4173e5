//! Answers and errors as JSON.

use std::error::Error as _;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use throughline_agent::ChangeError;
use throughline_connect::ConnectError;
use throughline_contexts::CallError;
use throughline_stored::Error;
use throughline_text::{error_chain, first_chars, nearest_name};

/// What a path answers.
pub(crate) type Answer<T = Value> = Result<Json<T>, Failure>;

/// A body as it came.
pub(crate) type Given = Result<Json<Value>, JsonRejection>;

/// Why there is no answer.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    message: String,
    /// Seconds after which the same request may succeed.
    retry_after: Option<u64>,
    /// Why an operation of a context failed.
    call: Option<Box<CallError>>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: without_address(&message.into()), retry_after: None, call: None }
    }

    /// The same request may succeed after this many seconds.
    pub(crate) fn retry_after(self, seconds: u64) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }

    /// The answer has the code and the values of this error.
    pub(crate) fn with_code(self, error: CallError) -> Self {
        let message = without_address(&error.message);
        Self { call: Some(Box::new(CallError { message, ..error })), ..self }
    }

    /// The header that says when the same request may succeed.
    pub(crate) fn retry_header(&self) -> Option<[(HeaderName, String); 1]> {
        self.retry_after.map(|seconds| [(RETRY_AFTER, seconds.to_string())])
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

/// Reads a body as this type, and refuses other fields.
pub(crate) fn parsed<T: DeserializeOwned + JsonSchema>(given: Given) -> Result<T, Failure> {
    let given = body(given)?;
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    let fields = schema.get("properties").and_then(Value::as_object);
    let known: Vec<&String> = fields.into_iter().flat_map(|fields| fields.keys()).collect();
    check_fields(&given, &known)?;
    from(given)
}

/// Refuses fields that are not among these.
pub(crate) fn check_fields(given: &Value, known: &[impl AsRef<str>]) -> Result<(), Failure> {
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    let mut names = given.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    names.find(|name| !known.contains(name)).map_or(Ok(()), |name| Err(unknown_field(name, &known)))
}

fn from<T: DeserializeOwned>(given: Value) -> Result<T, Failure> {
    serde_json::from_value(given).map_err(|error| Failure::input(format!("the body cannot be used: {error}")))
}

/// Reads a body as this type, and refuses other fields. Its schema says which fields it has, and which are texts; those must not be empty.
pub(crate) fn typed<T: DeserializeOwned + JsonSchema>(given: Given) -> Result<T, Failure> {
    let given = body(given)?;
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    let fields = schema.get("properties").and_then(Value::as_object);
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let is_required = |name: &String| required.contains(&name.as_str());
    for (name, value) in given.as_object().into_iter().flatten() {
        let Some(field) = fields.and_then(|fields| fields.get(name)) else {
            let known: Vec<&str> =
                fields.into_iter().flat_map(|fields| fields.keys().map(String::as_str)).collect();
            return Err(unknown_field(name, &known));
        };
        let kind = field.get("type");
        let is_text = kind.is_some_and(|kind| kind == "string" || *kind == json!(["string", "null"]));
        match value {
            Value::String(text) if is_text && text.trim().is_empty() => {
                let way =
                    if is_required(name) { "give it a text" } else { "leave it out, or give it a text" };
                return Err(Failure::input(format!("`{name}` is empty; {way}")));
            }
            Value::Null | Value::String(_) => {}
            _ if is_text => return Err(Failure::input(format!("`{name}` must be a text"))),
            _ => {}
        }
    }
    if let Some(name) = required.into_iter().find(|name| given.get(name).is_none_or(Value::is_null)) {
        return Err(Failure::input(format!("`{name}` is missing")));
    }
    from(given)
}

fn unknown_field(name: &str, known: &[&str]) -> Failure {
    let near = nearest_name(name, known.iter().copied());
    let near = near.map_or(String::new(), |near| format!("; `{near}` is near"));
    let name = first_chars(name, 40);
    Failure::input(format!("there is no field {name:?}{near}; the body takes {}", known.join(", ")))
}

/// The body of a request.
pub(crate) fn body(given: Given) -> Result<Value, Failure> {
    match given {
        Ok(Json(value @ Value::Object(_))) => Ok(value),
        Ok(_) => Err(Failure::input("the body must be a JSON object")),
        Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            Err(Failure::new(rejection.status(), "the body is too large"))
        }
        Err(JsonRejection::MissingJsonContentType(_)) => Err(Failure::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be a JSON object, with the header `Content-Type: application/json`",
        )),
        Err(rejection) => {
            let why = rejection.source().map_or_else(|| rejection.to_string(), ToString::to_string);
            Err(Failure::input(format!("the body is not JSON: {why}")))
        }
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
            Error::Change(ChangeError::PinsTooLarge { .. } | ChangeError::TwiceTheSameIds) => {
                StatusCode::CONFLICT
            }
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

/// A text for users, without the address of the database server: it is for the log.
fn without_address(text: &str) -> String {
    let hidden = |word: &str| match word.split_once("postgres://") {
        None => word.to_owned(),
        Some((before, address)) => {
            let end =
                address.strip_prefix(address.trim_end_matches([':', ';', ',', '.', ')'])).unwrap_or_default();
            format!("{before}the database{end}")
        }
    };
    let words: Vec<String> = text.split(' ').map(hidden).collect();
    words.join(" ").replace("the database the database", "the database")
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let retry = self.retry_header();
        let error = match self.call {
            Some(call) => json!(call),
            None => json!({ "message": self.message }),
        };
        (self.status, retry, Json(json!({ "error": error }))).into_response()
    }
}
