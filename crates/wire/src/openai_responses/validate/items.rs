//! The rules of single input items.

use std::collections::HashSet;

use serde_json::Value;

use super::parts;
use crate::validate::body::{Faults, is_plain, text};

/// Longest `call_id`.
const ID_CHARS: usize = 64;

/// Items of the provider's own tools and of its state, which are not checked.
const OPAQUE: &[&str] = &[
    "additional_tools",
    "apply_patch_call",
    "apply_patch_call_output",
    "code_interpreter_call",
    "compaction",
    "computer_call",
    "computer_call_output",
    "file_search_call",
    "image_generation_call",
    "item_reference",
    "local_shell_call",
    "local_shell_call_output",
    "mcp_approval_request",
    "mcp_approval_response",
    "mcp_call",
    "mcp_list_tools",
    "shell_call",
    "shell_call_output",
    "tool_search_call",
    "tool_search_output",
    "web_search_call",
];

/// Checks each item by itself, and reasoning with what comes after it.
pub(super) fn check(items: &[Value], stores: bool, faults: &mut Faults) {
    let mut seen = HashSet::new();
    for (index, item) in items.iter().enumerate() {
        let path = format!("input[{index}]");
        match kind(item) {
            "message" => {
                parts::message(&path, item, faults);
                if let Some(id) = text(item, "id").filter(|id| !id.starts_with("msg")) {
                    let rule = "Expected an ID that begins with 'msg'.";
                    faults.add(format!("{path}.id"), format!("Invalid '{path}.id': '{id}'. {rule}"));
                }
            }
            "function_call" => function_call(&path, item, faults),
            "custom_tool_call" => {
                call_id(&path, item, faults);
                name(&path, item, faults);
                let written = item.get("input").is_some_and(Value::is_string);
                faults.unless(written, format!("{path}.input"), "must be a string");
            }
            "function_call_output" | "custom_tool_call_output" => {
                call_id(&path, item, faults);
                parts::output(&path, item, faults);
            }
            "reasoning" => reasoning(&path, item, items.get(index + 1), stores, faults),
            kind if OPAQUE.contains(&kind) => {}
            other => faults.add(format!("{path}.type"), format!("Invalid value: '{other}'.")),
        }
        if let Some(id) = text(item, "id").filter(|_| kind(item) != "item_reference")
            && !seen.insert(id)
        {
            let rule = "Remove duplicate items from your input and try again.";
            faults.add(path, format!("Duplicate item found with id {id}. {rule}"));
        }
    }
}

/// The type of an item, which is optional for messages.
pub(super) fn kind(item: &Value) -> &str {
    match item.get("type") {
        None if item.get("role").is_some() => "message",
        _ => text(item, "type").unwrap_or_default(),
    }
}

fn function_call(path: &str, item: &Value, faults: &mut Faults) {
    call_id(path, item, faults);
    name(path, item, faults);
    if let Some(id) = text(item, "id").filter(|id| !id.starts_with("fc")) {
        let rule = "Expected an ID that begins with 'fc'.";
        faults.add(format!("{path}.id"), format!("Invalid '{path}.id': '{id}'. {rule}"));
    }
    let arguments = text(item, "arguments").and_then(|text| serde_json::from_str::<Value>(text).ok());
    let object = arguments.is_some_and(|arguments| arguments.is_object());
    faults.unless(object, format!("{path}.arguments"), "must be a string with a JSON object in it");
}

fn call_id(path: &str, item: &Value, faults: &mut Faults) {
    let path = format!("{path}.call_id");
    let length = text(item, "call_id").map_or(0, |id| id.chars().count());
    if length == 0 {
        faults.add(path.clone(), format!("Missing required parameter: '{path}'."));
    } else if length > ID_CHARS {
        let rule = format!("Expected a string with maximum length {ID_CHARS}");
        let message = format!("string too long. {rule}, but got a string with length {length} instead.");
        faults.add(path.clone(), format!("Invalid '{path}': {message}"));
    }
}

fn name(path: &str, item: &Value, faults: &mut Faults) {
    let rule = "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'";
    let plain = text(item, "name").is_some_and(|name| is_plain(name, 64));
    faults.unless(plain, format!("{path}.name"), rule);
}

fn reasoning(path: &str, item: &Value, next: Option<&Value>, stores: bool, faults: &mut Faults) {
    let id = text(item, "id").unwrap_or_default();
    let sealed = text(item, "encrypted_content").is_some_and(|content| !content.is_empty());
    // Servers that do not encrypt reasoning take its text.
    let plain = item.get("content").and_then(Value::as_array).is_some_and(|parts| !parts.is_empty());
    if !stores && !sealed && !plain {
        let rule = "Items are not persisted when `store` is set to false. Try again with `store` set to true, or \
                    remove this item from your input.";
        faults.add(path, format!("Item with id '{id}' not found. {rule}"));
    }
    let follows = next.is_some_and(|next| match kind(next) {
        "message" => text(next, "role") == Some("assistant"),
        "" => false,
        kind => !kind.ends_with("_output"),
    });
    if !follows {
        let rule = "of type 'reasoning' was provided without its required following item.";
        faults.add(path, format!("Item '{id}' {rule}"));
    }
}
