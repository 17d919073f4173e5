//! Messages of JSON-RPC 2.0 (<https://www.jsonrpc.org/specification>).

use serde_json::{Map, Value, json};
use throughline_contexts::{CallError, ErrorCode, Notice};
use throughline_conversation::SessionId;
use throughline_text::whole_characters;

/// A call of the client.
#[derive(Debug, PartialEq)]
pub(crate) struct Call {
    /// Repeated by the answer; `None`: a notification, which gets no answer.
    pub(crate) id: Option<Value>,
    pub(crate) method: String,
    pub(crate) params: Value,
}

/// A line that is no call.
#[derive(Debug, PartialEq)]
pub(crate) struct Rejected {
    id: Value,
    code: i64,
    message: String,
}

const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
const METHOD_NOT_FOUND: i64 = -32_601;
const INVALID_PARAMS: i64 = -32_602;
/// An error of an operation. Its code is a word in `data.code`.
const OPERATION_FAILED: i64 = -32_000;

impl Rejected {
    /// A line that is longer than a line may be.
    pub(crate) fn too_long(most: usize) -> Self {
        let message = format!("the line is longer than {most} bytes; hand over less at once");
        Self { id: Value::Null, code: INVALID_REQUEST, message }
    }

    pub(crate) fn to_value(&self) -> Value {
        let Self { id, code, message } = self;
        json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
    }
}

impl Call {
    /// Reads a line.
    pub(crate) fn read(line: &[u8]) -> Result<Self, Rejected> {
        let rejected = |id, code, message: String| Rejected { id, code, message };
        // A text that was cut inside a character is no reason to leave the client without an answer.
        let value: Value = serde_json::from_slice(line)
            .or_else(|error| serde_json::from_slice(&whole_characters(line)).map_err(|_| error))
            .map_err(|error| rejected(Value::Null, PARSE_ERROR, format!("the line is not JSON: {error}")))?;
        let Value::Object(mut fields) = value else {
            let why = if value.is_array() {
                "batches are not taken: write one call per line"
            } else {
                "a call is an object"
            };
            return Err(rejected(Value::Null, INVALID_REQUEST, why.to_owned()));
        };
        let id = fields.remove("id");
        let known = id.clone().unwrap_or_default();
        let invalid = |why: &str| rejected(known.clone(), INVALID_REQUEST, why.to_owned());
        if !matches!(id, None | Some(Value::String(_) | Value::Number(_) | Value::Null)) {
            return Err(rejected(Value::Null, INVALID_REQUEST, "`id` must be a text or a number".to_owned()));
        }
        if fields.get("jsonrpc") != Some(&json!("2.0")) {
            return Err(invalid("`jsonrpc` must be \"2.0\""));
        }
        let Some(Value::String(method)) = fields.remove("method") else {
            return Err(invalid("`method` is missing: the name of an operation"));
        };
        let params = match fields.remove("params") {
            None => Value::Object(Map::new()),
            Some(params @ Value::Object(_)) => params,
            Some(_) => return Err(invalid("`params` must be an object: fields go by name")),
        };
        Ok(Self { id, method, params })
    }

    /// The context that the call is for.
    pub(crate) fn context(&self) -> Option<&str> {
        self.params.get("context").and_then(Value::as_str)
    }
}

/// An answer up to where its result begins.
pub(crate) fn begin_answer(id: &Value) -> Vec<u8> {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":").into_bytes()
}

/// Ends an answer behind its result; for an error, the answer that says so.
pub(crate) fn end_answer(id: &Value, outcome: Result<Vec<u8>, CallError>) -> Vec<u8> {
    let CallError { code, message, data } = match outcome {
        Ok(mut answer) => {
            answer.push(b'}');
            return answer;
        }
        Err(error) => error,
    };
    let number = match code {
        ErrorCode::UnknownOperation => METHOD_NOT_FOUND,
        ErrorCode::InvalidInput => INVALID_PARAMS,
        _ => OPERATION_FAILED,
    };
    let mut fields = data.unwrap_or_default();
    fields.insert("code".to_owned(), json!(code));
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": number, "message": message, "data": fields } })
        .to_string()
        .into_bytes()
}

/// A notice as a notification.
pub(crate) fn notification(session: &SessionId, notice: &Notice) -> Value {
    let params = json!({ "context": session.as_str(), "kind": notice.kind, "text": notice.text });
    json!({ "jsonrpc": "2.0", "method": "notice", "params": params })
}

#[cfg(test)]
mod tests;
