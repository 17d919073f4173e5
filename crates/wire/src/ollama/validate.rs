//! The rules of Ollama's chat API.
//!
//! The server itself refuses little: it cuts, merges and drops in silence, and the model answers to something
//! else than was sent. What it would not do as asked is a fault here too.

mod content;
mod order;

use std::collections::HashSet;

use serde_json::Value;

use crate::validate::body::{Faults, items, text};
use crate::validate::fault::{Alternation, WireFault};

/// The rules that the body of `POST /api/chat` breaks; empty if it is valid.
///
/// Strictly: neither the user nor the assistant has two messages in a row, and the system message comes first.
#[must_use]
pub fn ollama(body: &Value) -> Vec<WireFault> {
    ollama_with(body, Alternation::Strict)
}

/// The same with a choice about two messages of one role in a row.
#[must_use]
pub fn ollama_with(body: &Value, alternation: Alternation) -> Vec<WireFault> {
    Faults::of(body, |faults| {
        let named = text(body, "model").is_some_and(|name| !name.is_empty());
        faults.unless(named, "model", "model is required");
        options(body, faults);
        tools(body, faults);
        let rule = "must not be empty: without messages the model is loaded and answers nothing";
        match body.get("messages").and_then(Value::as_array) {
            None => faults.add("messages", "must be a list of messages"),
            Some(messages) => {
                faults.unless(!messages.is_empty(), "messages", rule);
                content::check(messages, faults);
                order::check(messages, alternation, faults);
            }
        }
    })
}

fn options(body: &Value, faults: &mut Faults) {
    let option = |name: &str| body.get("options").and_then(|options| options.get(name));
    match option("num_ctx").filter(|size| !size.is_null()) {
        None => {
            let rule = "must be set: by its own default the server cuts off the front of a long request";
            faults.add("options.num_ctx", rule);
        }
        Some(size) => {
            let holds = size.as_u64().is_some_and(|size| size > 0);
            faults.unless(holds, "options.num_ctx", "must be a whole number above 0");
        }
    }
    if let Some(most) = option("num_predict").filter(|most| !most.is_null()) {
        // -1: no limit. -2: up to the end of the window.
        let holds = most.as_i64().is_some_and(|most| most > 0 || most == -1 || most == -2);
        faults.unless(holds, "options.num_predict", "must be a whole number above 0, or -1, or -2");
    }
}

fn tools(body: &Value, faults: &mut Faults) {
    let mut names = HashSet::new();
    for (index, tool) in items(body, "tools").iter().enumerate() {
        let path = format!("tools[{index}]");
        if text(tool, "type") != Some("function") {
            faults.add(format!("{path}.type"), "must be 'function'");
            continue;
        }
        let function = tool.get("function").unwrap_or(&Value::Null);
        let name = text(function, "name").unwrap_or_default();
        faults.unless(!name.trim().is_empty(), format!("{path}.function.name"), "must not be empty");
        faults.unless(names.insert(name), format!("{path}.function.name"), "tool names must be unique");
        let path = format!("{path}.function.parameters");
        let schema = function.get("parameters").unwrap_or(&Value::Null);
        faults.unless(text(schema, "type") == Some("object"), path.clone(), "must be of 'type: \"object\"'");
        let listed = schema.get("properties").is_some_and(Value::is_object);
        faults.unless(listed, path, "must have 'properties': templates list them");
    }
}
