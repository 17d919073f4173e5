//! The rules of single messages.

use serde_json::Value;

use crate::validate::body::{Faults, is_base64, items, text};

/// Checks each message by itself.
pub(super) fn check(messages: &[Value], faults: &mut Faults) {
    for (index, message) in messages.iter().enumerate() {
        let path = format!("messages[{index}]");
        let role = text(message, "role").unwrap_or_default();
        if !["system", "user", "assistant", "tool"].contains(&role) {
            let rule = "supported are 'system', 'user', 'assistant' and 'tool'";
            faults.add(format!("{path}.role"), format!("unknown role '{role}'; {rule}"));
            continue;
        }
        content(&path, role, message, faults);
        images(&path, message, faults);
        if role == "assistant" {
            calls(&path, message, faults);
        } else {
            let none = items(message, "tool_calls").is_empty();
            faults.unless(none, format!("{path}.tool_calls"), "belong to messages of role 'assistant' alone");
        }
    }
}

fn content(path: &str, role: &str, message: &Value, faults: &mut Faults) {
    let path = format!("{path}.content");
    let said = match message.get("content") {
        None | Some(Value::Null) => "",
        Some(Value::String(text)) => text,
        Some(_) => {
            faults.add(path, "must be a string: this API takes no list of parts");
            return;
        }
    };
    // A tool result may be empty; any other empty message is a fault.
    let shows = role == "tool"
        || !items(message, "images").is_empty()
        || role == "assistant" && !items(message, "tool_calls").is_empty();
    faults.unless(shows || !said.trim().is_empty(), path, "must not be empty");
}

fn images(path: &str, message: &Value, faults: &mut Faults) {
    for (at, image) in items(message, "images").iter().enumerate() {
        let holds = image.as_str().is_some_and(is_base64);
        faults.unless(
            holds,
            format!("{path}.images[{at}]"),
            "illegal base64 data: expected the picture's bytes alone",
        );
    }
}

fn calls(path: &str, message: &Value, faults: &mut Faults) {
    for (at, call) in items(message, "tool_calls").iter().enumerate() {
        let path = format!("{path}.tool_calls[{at}].function");
        let function = call.get("function").unwrap_or(&Value::Null);
        let named = text(function, "name").is_some_and(|name| !name.trim().is_empty());
        faults.unless(named, format!("{path}.name"), "must not be empty");
        let object = function.get("arguments").is_some_and(Value::is_object);
        faults.unless(
            object,
            format!("{path}.arguments"),
            "must be a JSON object, not a text with one in it",
        );
    }
}
