//! The input of a call, taken apart.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::OperationEntry;
use crate::error::{CallError, ErrorCode};

/// An input with its `context` and `key` taken out.
#[derive(Debug)]
pub(crate) struct Envelope {
    /// Id of the context; empty where the operation has none.
    pub(super) context: String,
    /// The idempotency key.
    pub(super) key: Option<String>,
    /// The other fields.
    pub(super) input: Value,
}

impl Envelope {
    /// Takes an input apart. No input is one without fields.
    pub(crate) fn of(entry: &OperationEntry, input: Value) -> Result<Self, CallError> {
        let mut fields = match input {
            Value::Object(fields) => fields,
            Value::Null => Map::new(),
            _ => return Err(CallError::new(ErrorCode::InvalidInput, "the input must be an object")),
        };
        if !entry.of_context {
            return Ok(Self { context: String::new(), key: None, input: Value::Object(fields) });
        }
        let context = text(&mut fields, "context")?.ok_or_else(|| {
            let message = "`context` is missing: the id of the context";
            CallError::new(ErrorCode::InvalidInput, message).with("field", "context")
        })?;
        let key = text(&mut fields, "key")?;
        Ok(Self { context, key, input: Value::Object(fields) })
    }
}

fn text(fields: &mut Map<String, Value>, name: &str) -> Result<Option<String>, CallError> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => {
            let message = format!("`{name}` must be a text");
            Err(CallError::new(ErrorCode::InvalidInput, message).with("field", name))
        }
    }
}

/// Reads an input; an error names the field that it is about, such as `images[0].data`.
pub(super) fn read<T: DeserializeOwned>(input: Value) -> Result<T, CallError> {
    serde_path_to_error::deserialize(input).map_err(|error: serde_path_to_error::Error<serde_json::Error>| {
        let mut field = error.path().to_string();
        // The path of a field that is missing is the one of its object; only the message names the field.
        let message = error.inner().to_string();
        if let Some(missing) = message.strip_prefix("missing field `").and_then(|rest| rest.split('`').next())
        {
            field = if field == "." { missing.to_owned() } else { format!("{field}.{missing}") };
        }
        let error = CallError::new(ErrorCode::InvalidInput, error.to_string());
        if field == "." { error } else { error.with("field", field) }
    })
}
