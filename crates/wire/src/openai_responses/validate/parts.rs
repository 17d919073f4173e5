//! The rules of messages, of outputs, and of the parts in both.

use serde_json::Value;

use crate::validate::body::{Faults, is_base64, is_picture, text};

/// The role of the message decides which parts are valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Input,
    Output,
}

/// A message.
pub(super) fn message(path: &str, item: &Value, faults: &mut Faults) {
    let side = match text(item, "role").unwrap_or_default() {
        "user" | "system" | "developer" => Side::Input,
        "assistant" => Side::Output,
        other => {
            let rule = "Supported values are: 'assistant', 'system', 'developer', and 'user'.";
            faults.add(format!("{path}.role"), format!("Invalid value: '{other}'. {rule}"));
            return;
        }
    };
    content(&format!("{path}.content"), item.get("content"), side, false, faults);
}

/// A tool result; it may be empty.
pub(super) fn output(path: &str, item: &Value, faults: &mut Faults) {
    content(&format!("{path}.output"), item.get("output"), Side::Input, true, faults);
}

fn content(path: &str, content: Option<&Value>, side: Side, may_be_empty: bool, faults: &mut Faults) {
    match content {
        None | Some(Value::Null) => faults.add(path, format!("Missing required parameter: '{path}'.")),
        Some(Value::String(text)) => {
            faults.unless(may_be_empty || !text.trim().is_empty(), path, "text content must be non-empty");
        }
        Some(Value::Array(parts)) => {
            faults.unless(!parts.is_empty(), path, "the list of parts must be non-empty");
            for (at, part) in parts.iter().enumerate() {
                self::part(&format!("{path}[{at}]"), part, side, faults);
            }
        }
        Some(_) => {
            let rule = "expected one of a string or an array of objects.";
            faults.add(path, format!("Invalid type for '{path}': {rule}"));
        }
    }
}

fn part(path: &str, part: &Value, side: Side, faults: &mut Faults) {
    let kind = text(part, "type").unwrap_or_default();
    if let Some(marker) = part.get("prompt_cache_breakpoint").filter(|marker| !marker.is_null()) {
        let path = format!("{path}.prompt_cache_breakpoint");
        faults.unless(side == Side::Input, path.clone(), format!("Unknown parameter: '{path}'."));
        let explicit = text(marker, "mode") == Some("explicit");
        faults.unless(explicit, format!("{path}.mode"), "Supported values are: 'explicit'.");
    }
    match (side, kind) {
        (Side::Input, "input_text") | (Side::Output, "output_text") => {
            let says = text(part, "text").is_some_and(|text| !text.trim().is_empty());
            faults.unless(says, format!("{path}.text"), "text content must be non-empty");
        }
        (Side::Input, "input_image") => {
            let stored = text(part, "file_id").is_some_and(|id| !id.is_empty());
            let url = text(part, "image_url").is_some_and(is_picture_url);
            let rule = "Expected a URL, or a base64-encoded data URL with an image MIME type (e.g. \
                        'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=')";
            faults.unless(stored || url, format!("{path}.image_url"), rule);
        }
        (Side::Input, "input_file" | "input_audio") | (Side::Output, "refusal") => {}
        (side, other) => {
            let taken = match side {
                Side::Input => "'input_text', 'input_image', 'input_file', and 'input_audio'",
                Side::Output => "'output_text' and 'refusal'",
            };
            faults.add(path, format!("Invalid value: '{other}'. Supported values are: {taken}."));
        }
    }
}

fn is_picture_url(url: &str) -> bool {
    let Some(data) = url.strip_prefix("data:") else {
        return url.starts_with("https://") || url.starts_with("http://");
    };
    let parts = data.split_once(";base64,");
    parts.is_some_and(|(media_type, data)| is_picture(media_type) && is_base64(data))
}
