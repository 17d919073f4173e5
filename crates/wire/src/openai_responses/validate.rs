//! The rules of OpenAI's Responses API.

mod items;
mod pairs;
mod parts;

use std::collections::HashSet;

use serde_json::Value;

use crate::validate::body::{Faults, is_plain, items, text};
use crate::validate::fault::WireFault;

/// Fewest output tokens that may be asked for.
const FEWEST_TOKENS: u64 = 16;

/// Longest cache key.
const KEY_CHARS: usize = 64;

/// Choices of `prompt_cache_options`.
const CACHE_OPTIONS: &[(&str, &[&str])] = &[("mode", &["implicit", "explicit"]), ("ttl", &["30m", "12h"])];

/// Fields of Chat Completions, and what became of them here.
const MOVED: &[(&str, &str)] = &[
    ("messages", "input"),
    ("max_tokens", "max_output_tokens"),
    ("max_completion_tokens", "max_output_tokens"),
    ("response_format", "text.format"),
];

/// The rules that the body of `POST /v1/responses` breaks; empty if it is valid.
///
/// Calls and outputs that the provider stored (`previous_response_id`, `conversation`, `item_reference`) cannot be
/// seen: in such a body an output may lack its call.
#[must_use]
pub fn openai_responses(body: &Value) -> Vec<WireFault> {
    Faults::of(body, |faults| {
        head(body, faults);
        tools(body, faults);
        input(body, faults);
    })
}

fn head(body: &Value, faults: &mut Faults) {
    let named = text(body, "model").is_some_and(|name| !name.is_empty());
    faults.unless(named, "model", "Missing required parameter: 'model'.");
    for (old, new) in MOVED {
        if body.get(old).is_some() {
            let moved = format!("In the Responses API, this parameter has moved to '{new}'.");
            faults.add(*old, format!("Unsupported parameter: '{old}'. {moved}"));
        }
    }
    if let Some(most) = body.get("max_output_tokens").filter(|most| !most.is_null())
        && most.as_u64().is_none_or(|most| most < FEWEST_TOKENS)
    {
        let rule = "Invalid 'max_output_tokens': integer below minimum value. Expected a value >=";
        faults.add("max_output_tokens", format!("{rule} {FEWEST_TOKENS}, but got {most} instead."));
    }
    if let Some(instructions) = body.get("instructions").filter(|instructions| !instructions.is_null()) {
        let says = instructions.as_str().is_some_and(|text| !text.trim().is_empty());
        faults.unless(says, "instructions", "must be a text that is not empty");
    }
    for (field, taken) in CACHE_OPTIONS {
        let path = format!("prompt_cache_options.{field}");
        let value = body.pointer(&format!("/prompt_cache_options/{field}")).filter(|value| !value.is_null());
        let known = value.is_none_or(|value| value.as_str().is_some_and(|value| taken.contains(&value)));
        faults.unless(known, path, format!("Supported values are: '{}'.", taken.join("' and '")));
    }
    let key = text(body, "prompt_cache_key").map_or(0, |key| key.chars().count());
    if key > KEY_CHARS {
        let rule = "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length";
        faults.add(
            "prompt_cache_key",
            format!("{rule} {KEY_CHARS}, but got a string with length {key} instead."),
        );
    }
}

/// Functions only: what the provider's own tools take is not checked.
fn tools(body: &Value, faults: &mut Faults) {
    let mut names = HashSet::new();
    for (index, tool) in items(body, "tools").iter().enumerate() {
        let path = format!("tools[{index}]");
        let kind = text(tool, "type").unwrap_or_default();
        if kind.is_empty() {
            faults.add(format!("{path}.type"), format!("Missing required parameter: '{path}.type'."));
        }
        if kind != "function" {
            continue;
        }
        let Some(name) = text(tool, "name") else {
            faults.add(format!("{path}.name"), format!("Missing required parameter: '{path}.name'."));
            continue;
        };
        let rule =
            "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'";
        faults.unless(is_plain(name, 64), format!("{path}.name"), rule);
        faults.unless(names.insert(name), format!("{path}.name"), "Tool names must be unique.");
        if let Some(schema) = tool.get("parameters").filter(|schema| !schema.is_null()) {
            let path = format!("{path}.parameters");
            let rule = "schema must be a JSON Schema of 'type: \"object\"'";
            faults.unless(text(schema, "type") == Some("object"), path.clone(), rule);
            let listed = schema.get("properties").is_some_and(Value::is_object);
            faults.unless(listed, path, "object schema missing properties");
        }
    }
}

fn input(body: &Value, faults: &mut Faults) {
    let set = |name: &str| body.get(name).is_some_and(|value| !value.is_null());
    let stored = set("previous_response_id") || set("conversation");
    match body.get("input").filter(|input| !input.is_null()) {
        Some(Value::Array(list)) if !list.is_empty() => {
            items::check(list, stores(body), faults);
            let stored = stored || list.iter().any(|item| text(item, "type") == Some("item_reference"));
            pairs::check(list, stored, faults);
        }
        Some(Value::String(said)) => {
            faults.unless(!said.trim().is_empty(), "input", "text content must be non-empty");
        }
        None | Some(Value::Array(_)) => {
            let rule = "One of \"input\" or \"previous_response_id\" or 'prompt' or 'conversation_id' must be \
                        provided.";
            faults.unless(stored || set("prompt"), "input", rule);
        }
        Some(_) => {
            faults.add("input", "Invalid type for 'input': expected one of a string or an array of objects.");
        }
    }
}

/// Returns true if the provider stores the items of this body, which is the default.
fn stores(body: &Value) -> bool {
    body.get("store").and_then(Value::as_bool).unwrap_or(true)
}
