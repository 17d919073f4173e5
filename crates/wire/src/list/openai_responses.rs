//! The input of a request to OpenAI's Responses API: flat items, of which several make a message of the model.

use serde_json::{Value, json};
use throughline_conversation::Message;

use super::{ListedMessage, Read, parts, role, user, wrong_role};
use crate::wire::Wire;

pub(super) fn messages(items: &[Value]) -> Read {
    let mut listed: Vec<ListedMessage> = Vec::new();
    let mut begun = 0;
    while let Some(item) = items.get(begun) {
        let said = items.get(begun..).unwrap_or_default().iter().take_while(|item| is_of_model(item)).count();
        let read = match said {
            0 => given(item),
            said => by_model(items.get(begun..begun + said).unwrap_or_default()),
        };
        let end = begun + said.max(1);
        listed.push(ListedMessage { message: read.map_err(|fault| (begun, fault))?, items: begun..end });
        begun = end;
    }
    Ok(listed)
}

fn kind(item: &Value) -> &str {
    item.get("type").and_then(Value::as_str).unwrap_or("message")
}

fn is_of_model(item: &Value) -> bool {
    match kind(item) {
        "message" => role(item) == Some("assistant"),
        kind => kind != "function_call_output",
    }
}

fn by_model(items: &[Value]) -> Result<Message, String> {
    Wire::OpenAiResponses
        .said_by(items.iter().map(whole), |output| json!({ "output": output, "status": "completed" }))
}

/// A message of the model in the form of an answer, where its content is a text in short.
fn whole(item: &Value) -> Value {
    match item.get("content") {
        Some(Value::String(text)) if kind(item) == "message" => json!({
            "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text }],
        }),
        _ => item.clone(),
    }
}

fn given(item: &Value) -> Result<Message, String> {
    if kind(item) == "function_call_output" {
        let output = item.get("output").unwrap_or(&Value::Null);
        return Ok(Message::results([parts::result(parts::text(item, "call_id")?, output, false)?]));
    }
    match role(item) {
        Some("user" | "system" | "developer") => {
            Ok(user(parts::content(item.get("content").unwrap_or(&Value::Null))?))
        }
        _ => Err(wrong_role(item, "user, assistant, system or developer")),
    }
}
