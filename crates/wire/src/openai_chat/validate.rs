//! The rules of OpenAI's Chat Completions API.

mod content;
mod order;

use std::collections::HashSet;

use serde_json::Value;

use crate::openai::MOST_TOOLS;
use crate::validate::body::{Faults, is_plain, items, text};
use crate::validate::fault::{Alternation, WireFault};

/// The rules that the body of `POST /v1/chat/completions` breaks; empty if it is valid.
///
/// Strictly: neither the user nor the assistant has two messages in a row, and the system message comes first.
/// OpenAI itself allows both; templates of local models do not.
#[must_use]
pub fn openai_chat(body: &Value) -> Vec<WireFault> {
    openai_chat_with(body, Alternation::Strict)
}

/// The same with a choice about two messages of one role in a row.
#[must_use]
pub fn openai_chat_with(body: &Value, alternation: Alternation) -> Vec<WireFault> {
    Faults::of(body, |faults| {
        head(body, faults);
        tools(body, faults);
        messages(body, alternation, faults);
    })
}

fn messages(body: &Value, alternation: Alternation, faults: &mut Faults) {
    let Some(messages) = body.get("messages").and_then(Value::as_array) else {
        return faults.add("messages", "Missing required parameter: 'messages'.");
    };
    let empty = "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array \
                 instead.";
    faults.unless(!messages.is_empty(), "messages", empty);
    content::check(messages, faults);
    order::check(messages, alternation, faults);
}

fn head(body: &Value, faults: &mut Faults) {
    let named = text(body, "model").is_some_and(|name| !name.is_empty());
    faults.unless(named, "model", "you must provide a model parameter");
    let limits = ["max_completion_tokens", "max_tokens"];
    for name in limits {
        if let Some(most) = body.get(name).filter(|most| !most.is_null()) {
            let holds = most.as_u64().is_some_and(|most| most > 0);
            faults.unless(holds, name, "Expected a value >= 1");
        }
    }
    let both = limits.iter().all(|name| body.get(name).is_some_and(|most| !most.is_null()));
    let rule = "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.";
    faults.unless(!both, "max_tokens", rule);
    let streams = body.get("stream").and_then(Value::as_bool).unwrap_or(false);
    let options = body.get("stream_options").is_some_and(|options| !options.is_null());
    let rule = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
    faults.unless(streams || !options, "stream_options", rule);
}

fn tools(body: &Value, faults: &mut Faults) {
    if let Some(tools) = body.get("tools").and_then(Value::as_array) {
        let rule = "[] is too short - 'tools'";
        faults.unless(!tools.is_empty(), "tools", rule);
        if tools.len() > MOST_TOOLS {
            let rule = "array too long. Expected an array with maximum length";
            faults.add(
                "tools",
                format!("{rule} {MOST_TOOLS}, but got an array with length {} instead.", tools.len()),
            );
        }
    }
    let mut names = HashSet::new();
    for (index, tool) in items(body, "tools").iter().enumerate() {
        let path = format!("tools[{index}]");
        if text(tool, "type") != Some("function") {
            faults.add(format!("{path}.type"), "Invalid value: 'type' must be 'function'");
            continue;
        }
        let function = tool.get("function").unwrap_or(&Value::Null);
        let name = text(function, "name").unwrap_or_default();
        let rule =
            "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'";
        faults.unless(is_plain(name, 64), format!("{path}.function.name"), rule);
        faults.unless(names.insert(name), format!("{path}.function.name"), "Tool names must be unique.");
        if let Some(schema) = function.get("parameters") {
            let path = format!("{path}.function.parameters");
            let rule = "schema must be a JSON Schema of 'type: \"object\"'";
            faults.unless(text(schema, "type") == Some("object"), path.clone(), rule);
            let listed = schema.get("properties").is_some_and(Value::is_object);
            faults.unless(listed, path, "object schema missing properties");
        }
    }
}
