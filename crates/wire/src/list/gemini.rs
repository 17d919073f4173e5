//! The contents of a request to the Gemini API.

use std::collections::VecDeque;

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Image, Message};

use super::{ListedMessage, Read, parts, role, user, wrong_role};
use crate::wire::Wire;

pub(super) fn messages(items: &[Value], first: usize) -> Read {
    let mut open = VecDeque::new();
    let mut listed = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let read = match role(item) {
            Some("model") => by_model(item, first + place, &mut open),
            Some("user" | "function") | None => given(item, &mut open),
            Some(_) => Err(wrong_role(item, "user or model")),
        };
        let message = read.map_err(|fault| (place, fault))?;
        listed.push(ListedMessage { message, items: place..place + 1 });
    }
    Ok(listed)
}

fn by_model(item: &Value, place: usize, open: &mut VecDeque<String>) -> Result<Message, String> {
    let mut item = item.clone();
    open.clear();
    let said = item.get_mut("parts").and_then(Value::as_array_mut);
    let calls = said.into_iter().flatten().filter_map(|part| part.get_mut("functionCall")?.as_object_mut());
    for (number, call) in calls.enumerate() {
        let given = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        let id = given.map_or_else(|| format!("call_{place}_{number}"), str::to_owned);
        call.insert("id".to_owned(), json!(id));
        open.push_back(id);
    }
    Wire::Gemini.said(&json!({ "candidates": [{ "content": item, "finishReason": "STOP" }] }))
}

fn given(item: &Value, open: &mut VecDeque<String>) -> Result<Message, String> {
    let mut content = Vec::new();
    for part in parts::list(item, "parts")? {
        if let Some(response) = part.get("functionResponse") {
            let id = response.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
            let id = match id {
                Some(id) => id.to_owned(),
                None => open.pop_front().ok_or("a result stands behind no call")?,
            };
            let (said, is_error) = unwrapped(response.get("response").unwrap_or(&Value::Null));
            content.push(ContentBlock::ToolResult(parts::result(&id, &json!(said), is_error)?));
        } else if let Some(data) = part.get("inlineData") {
            let (media_type, data) = (parts::text(data, "mimeType")?, parts::text(data, "data")?);
            let image = Image { media_type: media_type.to_owned(), data: data.to_owned() };
            content.push(ContentBlock::Image(image));
        } else {
            content.push(ContentBlock::Text { text: parts::text(part, "text")?.to_owned() });
        }
    }
    Ok(user(content))
}

/// The text of a response, without the object that its program has put around it, and whether it is an error.
fn unwrapped(response: &Value) -> (String, bool) {
    let only =
        response.as_object().filter(|fields| fields.len() == 1).and_then(|fields| fields.iter().next());
    match only {
        Some((name, Value::String(text))) if matches!(name.as_str(), "output" | "result" | "error") => {
            (text.clone(), name == "error")
        }
        _ => (response.to_string(), false),
    }
}
