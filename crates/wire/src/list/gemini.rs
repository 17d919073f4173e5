//! The contents of a request to the Gemini API.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Image, Message};

use super::{parts, role, user, wrong_role};
use crate::wire::Wire;

pub(super) fn message(item: &Value) -> Result<Message, String> {
    match role(item) {
        Some("model") => Wire::Gemini
            .said(item, |item| json!({ "candidates": [{ "content": item, "finishReason": "STOP" }] })),
        Some("user" | "function") | None => given(item),
        Some(_) => Err(wrong_role(item, "user or model")),
    }
}

fn given(item: &Value) -> Result<Message, String> {
    let mut content = Vec::new();
    for part in parts::list(item, "parts")? {
        if let Some(response) = part.get("functionResponse") {
            let id = response.get("id").and_then(Value::as_str).unwrap_or_default();
            let (said, is_error) = unwrapped(response.get("response").unwrap_or(&Value::Null));
            content.push(ContentBlock::ToolResult(parts::result(id, &json!(said), is_error)?));
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
