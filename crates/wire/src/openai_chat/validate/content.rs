//! The rules of single messages.

use serde_json::Value;

use crate::validate::body::{Faults, is_base64, is_picture, is_plain, text};

/// Longest id of a call.
const ID_CHARS: usize = 40;

/// Checks each message by itself.
pub(super) fn check(messages: &[Value], faults: &mut Faults) {
    for (index, message) in messages.iter().enumerate() {
        let path = format!("messages.[{index}]");
        let role = text(message, "role").unwrap_or_default();
        match role {
            "assistant" => assistant(&path, message, faults),
            "system" | "developer" | "user" => content(&path, role, message, faults),
            "tool" => {
                content(&path, role, message, faults);
                let id = text(message, "tool_call_id").is_some_and(|id| !id.is_empty());
                faults.unless(id, format!("{path}.tool_call_id"), "Missing parameter 'tool_call_id'");
            }
            other => faults.add(
                format!("{path}.role"),
                format!("Invalid value: '{other}'. Supported values are: 'system', 'assistant', 'user', 'tool', and 'developer'."),
            ),
        }
    }
}

fn assistant(path: &str, message: &Value, faults: &mut Faults) {
    for name in ["reasoning_content", "reasoning"] {
        let is_text = message.get(name).is_none_or(|value| value.is_null() || value.is_string());
        let rule = format!("Invalid type for '{name}': expected a string.");
        faults.unless(is_text, format!("{path}.{name}"), &rule);
    }
    let calls = message.get("tool_calls").filter(|calls| !calls.is_null());
    // Next to calls an empty text is as good as none.
    if calls.is_none() || message.get("content").is_some_and(|content| !content.is_null() && content != "") {
        content(path, "assistant", message, faults);
    }
    let Some(calls) = calls else { return };
    let list = calls.as_array().map_or(&[][..], Vec::as_slice);
    faults.unless(!list.is_empty(), format!("{path}.tool_calls"), "[] is too short - 'tool_calls'");
    for (at, call) in list.iter().enumerate() {
        self::call(&format!("{path}.tool_calls[{at}]"), call, faults);
    }
}

fn call(path: &str, call: &Value, faults: &mut Faults) {
    let id = text(call, "id").unwrap_or_default();
    faults.unless(!id.is_empty(), format!("{path}.id"), "Missing required parameter: 'id'.");
    if id.len() > ID_CHARS {
        let rule = "string too long. Expected a string with maximum length";
        faults.add(
            format!("{path}.id"),
            format!("{rule} {ID_CHARS}, but got a string with length {} instead.", id.len()),
        );
    }
    faults.unless(
        text(call, "type") == Some("function"),
        format!("{path}.type"),
        "Invalid value: 'type' must be 'function'",
    );
    let function = call.get("function").unwrap_or(&Value::Null);
    let rule = "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'";
    let name = text(function, "name").unwrap_or_default();
    faults.unless(is_plain(name, 64), format!("{path}.function.name"), rule);
    let arguments = text(function, "arguments").and_then(|text| serde_json::from_str::<Value>(text).ok());
    let object = arguments.is_some_and(|arguments| arguments.is_object());
    faults.unless(object, format!("{path}.function.arguments"), "must be a string with a JSON object in it");
}

fn content(path: &str, role: &str, message: &Value, faults: &mut Faults) {
    let path = format!("{path}.content");
    match message.get("content") {
        None | Some(Value::Null) => {
            faults.add(path, "Invalid value for 'content': expected a string, got null.");
        }
        Some(Value::String(text)) => {
            // A tool result may be empty; any other empty message is a fault.
            let says = role == "tool" || !text.trim().is_empty();
            faults.unless(says, path, "text content must be non-empty");
        }
        Some(Value::Array(parts)) => {
            faults.unless(!parts.is_empty(), path.clone(), "[] is too short - 'content'");
            for (at, part) in parts.iter().enumerate() {
                self::part(&format!("{path}[{at}]"), role, part, faults);
            }
        }
        Some(_) => {
            faults.add(path, "Invalid type for 'content': expected one of a string or an array of objects.");
        }
    }
}

fn part(path: &str, role: &str, part: &Value, faults: &mut Faults) {
    match text(part, "type").unwrap_or_default() {
        "text" => {
            let says = text(part, "text").is_some_and(|text| !text.trim().is_empty());
            faults.unless(says, format!("{path}.text"), "text content must be non-empty");
        }
        "image_url" if role == "user" => {
            let url = part.get("image_url").and_then(|image| text(image, "url")).unwrap_or_default();
            let rule = "Expected a URL, or a base64-encoded data URL with an image MIME type (e.g. \
                        'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=')";
            faults.unless(is_picture_url(url), format!("{path}.image_url.url"), rule);
        }
        "input_audio" | "file" if role == "user" => {}
        // Thinking parts are Mistral's.
        "refusal" | "thinking" if role == "assistant" => {}
        other => faults
            .add(format!("{path}.type"), format!("Invalid value: '{other}' in a message of role '{role}'.")),
    }
}

fn is_picture_url(url: &str) -> bool {
    match url.strip_prefix("data:") {
        None => url.starts_with("https://") || url.starts_with("http://"),
        Some(data) => data
            .split_once(";base64,")
            .is_some_and(|(media_type, data)| is_picture(media_type) && is_base64(data)),
    }
}
