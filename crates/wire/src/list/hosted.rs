//! Calls and outputs of the tools that the Responses API defines itself: shells, patches, computers, custom tools, approvals.
//!
//! There are many kinds, and more come. A call is an item of the model that another item, an output or a response, names by its id;
//! what the provider has run itself has no such item and stays a part of the model's message.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use throughline_conversation::Message;

use super::parts;

/// What an item is, with the id of the call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HostedItem<'a> {
    Call(&'a str),
    Output(&'a str),
}

/// What the items are: `None` for messages, functions and what belongs to the model alone.
pub(super) fn hosted(items: &[Value]) -> Vec<Option<HostedItem<'_>>> {
    let mut found = vec![None; items.len()];
    let mut calls: HashMap<&str, usize> = HashMap::new();
    for (place, item) in items.iter().enumerate() {
        let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
        if ["message", "reasoning", "function_call", "function_call_output"].contains(&kind) {
            continue;
        }
        let ids = |names: &[&str]| {
            let ids = names.iter().filter_map(|name| item.get(name)?.as_str()).filter(|id| !id.is_empty());
            ids.collect::<Vec<&str>>()
        };
        if !kind.ends_with("_output") && !kind.ends_with("_response") {
            calls.extend(ids(&["id", "call_id"]).into_iter().map(|id| (id, place)));
            continue;
        }
        let named = ids(&["call_id", "approval_request_id", "id"]);
        let answered = named.into_iter().find_map(|id| Some((id, *calls.get(id)?)));
        let Some((id, call)) = answered else { continue };
        if let Some(call) = found.get_mut(call) {
            *call = Some(HostedItem::Call(id));
        }
        if let Some(output) = found.get_mut(place) {
            *output = Some(HostedItem::Output(id));
        }
    }
    found
}

/// A call as one of a function: its name is the kind, unless it has one.
pub(super) fn as_function(item: &Value, id: &str) -> Value {
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
    let of_kind = || kind.trim_end_matches("_call").trim_end_matches("_request");
    let name = item.get("name").and_then(Value::as_str).unwrap_or_else(of_kind);
    let mut input = item.as_object().cloned().unwrap_or_default();
    input.retain(|field, _| !["type", "id", "call_id", "status", "name"].contains(&field.as_str()));
    let arguments = Value::Object(input).to_string();
    json!({ "type": "function_call", "call_id": id, "name": name, "arguments": arguments })
}

/// The result that an output is.
pub(super) fn result(item: &Value, id: &str) -> Result<Message, String> {
    let output = item.get("output").filter(|output| !output.is_null());
    let text = || json!(output.unwrap_or(item).to_string());
    let picture = output
        .and_then(|output| output.get("image_url"))
        .map(|url| json!([{ "type": "input_image", "image_url": url }]));
    let said = picture.or_else(|| output.cloned()).unwrap_or_else(text);
    let result = parts::result(id, &said, false).or_else(|_| parts::result(id, &text(), false))?;
    Ok(Message::results([result]))
}

/// An output without its text; `None` if the output is no text.
pub(super) fn frame(item: &Value) -> Option<Map<String, Value>> {
    let mut frame = item.as_object()?.clone();
    frame.remove("output").filter(Value::is_string).map(|_| frame)
}
