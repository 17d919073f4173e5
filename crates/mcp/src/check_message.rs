//! Reads messages of servers that do not keep to JSON-RPC, so that a call gets its answer, or an error at once.

use rmcp::RoleClient;
use rmcp::service::RxJsonRpcMessage;
use serde::Deserialize as _;
use serde_json::{Map, Value, json};
use throughline_text::whole_characters;

/// Code of an error whose own code is no number.
const OTHER_ERROR: i64 = -32_000;

/// What a server wrote.
#[derive(Debug, PartialEq)]
pub(crate) enum CheckedMessage {
    /// No message, but perhaps a line for a person.
    Other,
    /// A message that can be read unchanged. Its id, if it answers a request.
    Good(Option<Value>),
    /// A message that was written wrongly, repaired. Its id may be missing or unknown.
    Repaired(Map<String, Value>),
    /// A message that cannot be read, and why.
    Unreadable(String),
}

/// Checks a message.
///
/// Repaired are: characters that are cut or no UTF-8, `NaN`, a missing `jsonrpc`, `error: null` next to a result, errors
/// without a message or with a code that is no number, and answers to the handshake without the name and the version of the server or
/// with capabilities that are no objects.
pub(crate) fn check_message(bytes: &[u8]) -> CheckedMessage {
    let (value, clean) = match serde_json::from_slice::<Value>(bytes) {
        Ok(value) => (value, true),
        Err(_) if !is_message(bytes) => return CheckedMessage::Other,
        Err(error) => match lenient(bytes) {
            Some(value) => (value, false),
            None => return CheckedMessage::Unreadable(format!("its answer cannot be read ({error})")),
        },
    };
    let Value::Object(fields) = value else { return CheckedMessage::Other };
    let has = |name: &str| fields.contains_key(name);
    let is_answer = !has("method") && (has("id") || has("jsonrpc")) && (has("result") || has("error"));
    let unanswered = !has("method") && has("id") && has("jsonrpc");
    if !has("jsonrpc") && !is_answer {
        return CheckedMessage::Other;
    }
    let is_response = is_answer || unanswered;
    let mut repaired = fields.clone();
    repaired.insert("jsonrpc".to_owned(), json!("2.0"));
    if is_response {
        repair_answer(&mut repaired);
    }
    if clean
        && repaired == fields
        && RxJsonRpcMessage::<RoleClient>::deserialize(&Value::Object(fields)).is_ok()
    {
        return CheckedMessage::Good(repaired.remove("id").filter(|_| is_response));
    }
    let mut probe = repaired.clone();
    if is_response {
        probe.insert("id".to_owned(), json!(1));
    }
    match RxJsonRpcMessage::<RoleClient>::deserialize(&Value::Object(probe)) {
        Ok(_) => CheckedMessage::Repaired(repaired),
        Err(_) => CheckedMessage::Unreadable("its answer is no valid message of MCP".to_owned()),
    }
}

/// Leaves one of `result` and `error`, and makes the error one that can be read.
fn repair_answer(fields: &mut Map<String, Value>) {
    let is_empty = |value: &Value| value.is_null() || value.as_object().is_some_and(Map::is_empty);
    let has_result = fields.get("result").is_some_and(|result| !result.is_null());
    match fields.get("error") {
        Some(error) if is_empty(error) && has_result => {
            fields.remove("error");
        }
        Some(error) => {
            let error = repaired_error(error);
            fields.insert("error".to_owned(), error);
            fields.remove("result");
        }
        None if has_result => {
            if let Some(result) = fields.get_mut("result").and_then(Value::as_object_mut) {
                repair_handshake(result);
            }
        }
        None => {
            let text = "its answer has neither a result nor an error";
            fields.remove("result");
            fields.insert("error".to_owned(), json!({"code": OTHER_ERROR, "message": text}));
        }
    }
}

/// Gives the answer to a handshake what MCP requires of it. Nothing here depends on what a server calls itself.
fn repair_handshake(result: &mut Map<String, Value>) {
    if !result.contains_key("protocolVersion") {
        return;
    }
    let known = result.remove("serverInfo");
    let mut info = known.and_then(|info| info.as_object().cloned()).unwrap_or_default();
    for field in ["name", "version"] {
        let text = match info.remove(field) {
            Some(Value::String(text)) => text,
            Some(Value::Number(number)) => number.to_string(),
            _ => "unknown".to_owned(),
        };
        info.insert(field.to_owned(), text.into());
    }
    result.insert("serverInfo".to_owned(), info.into());
    let offered = result.get("capabilities").and_then(Value::as_object).cloned().unwrap_or_default();
    let offered = offered.into_iter().filter_map(|(name, value)| match value {
        Value::Object(_) => Some((name, value)),
        Value::Bool(true) => Some((name, json!({}))),
        _ => None,
    });
    result.insert("capabilities".to_owned(), offered.collect::<Map<_, _>>().into());
}

fn repaired_error(error: &Value) -> Value {
    let code = error.get("code");
    let number = code.and_then(Value::as_i64).filter(|code| i32::try_from(*code).is_ok());
    if number.is_some() && error.get("message").is_some_and(Value::is_string) {
        return error.clone();
    }
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let message = match error {
        Value::Object(fields) => match fields.get("message").filter(|message| !message.is_null()) {
            Some(message) => text(message),
            None if fields.is_empty() => "an error without a message".to_owned(),
            None => format!("an error without a message: {error}"),
        },
        Value::Null => "an error without a message".to_owned(),
        other => text(other),
    };
    let named = code.filter(|_| number.is_none()).map(|code| format!(" (code {})", text(code)));
    let message = format!("{message}{}", named.unwrap_or_default());
    let mut repaired = json!({"code": number.unwrap_or(OTHER_ERROR), "message": message});
    if let (Some(data), Some(fields)) = (error.get("data"), repaired.as_object_mut()) {
        fields.insert("data".to_owned(), data.clone());
    }
    repaired
}

/// Reads JSON with half characters and with numbers that JSON has no form for, which become `null`.
fn lenient(bytes: &[u8]) -> Option<Value> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let whole = whole_characters(bytes);
    serde_json::from_slice(&whole).or_else(|_| serde_json::from_slice(&without_no_numbers(&whole))).ok()
}

fn without_no_numbers(json: &[u8]) -> Vec<u8> {
    const NO_NUMBERS: [&[u8]; 4] = [b"-Infinity", b"Infinity", b"-NaN", b"NaN"];
    let (mut out, mut rest, mut quoted) = (Vec::with_capacity(json.len()), json, false);
    while let [first, after @ ..] = rest {
        if !quoted && let Some(word) = NO_NUMBERS.into_iter().find(|word| rest.starts_with(word)) {
            out.extend_from_slice(b"null");
            rest = rest.get(word.len()..).unwrap_or_default();
            continue;
        }
        out.push(*first);
        rest = after;
        match first {
            b'"' => quoted = !quoted,
            b'\\' if quoted => {
                out.extend(after.first());
                rest = after.get(1..).unwrap_or_default();
            }
            _ => {}
        }
    }
    out
}

/// Bytes at the start of a line that tell whether it is a message.
pub(crate) const START: usize = 256;

/// Returns true if a line is meant as a message, and not for a person.
pub(crate) fn is_message(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line.get(..START.min(line.len())).unwrap_or_default());
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let named = |name: &str| text.contains(name);
    text.starts_with('{')
        && (named("\"jsonrpc\"") || named("\"result\"") || (named("\"id\"") && named("\"error\"")))
}

#[cfg(test)]
mod tests;
