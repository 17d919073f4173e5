//! The input of a request to OpenAI's Responses API: flat items, of which several make a message of the model.

use serde_json::{Value, json};
use throughline_conversation::Message;

use super::hosted::{self, HostedItem};
use super::{ListedForm, ListedMessage, Read, parts, role, user, wrong_role};
use crate::wire::Wire;

pub(super) fn messages(items: &[Value]) -> Read {
    let items: Vec<Item<'_>> =
        items.iter().zip(hosted::hosted(items)).map(|(value, hosted)| Item { value, hosted }).collect();
    let mut listed: Vec<ListedMessage> = Vec::new();
    let mut begun = 0;
    while let Some(item) = items.get(begun) {
        let said =
            items.get(begun..).unwrap_or_default().iter().take_while(|item| item.is_of_model()).count();
        let read = match said {
            0 => given(item),
            said => by_model(items.get(begun..begun + said).unwrap_or_default()),
        };
        let end = begun + said.max(1);
        let (message, form) = read.map_err(|fault| (begun, fault))?;
        listed.push(ListedMessage { message, items: begun..end, form });
        begun = end;
    }
    Ok(listed)
}

fn kind(item: &Value) -> &str {
    item.get("type").and_then(Value::as_str).unwrap_or("message")
}

/// An item, and what it is to the tools that the API defines itself.
struct Item<'a> {
    value: &'a Value,
    hosted: Option<HostedItem<'a>>,
}

impl Item<'_> {
    fn is_of_model(&self) -> bool {
        match kind(self.value) {
            "message" => role(self.value) == Some("assistant"),
            "function_call_output" => false,
            _ => !matches!(self.hosted, Some(HostedItem::Output(_))),
        }
    }
}

fn by_model(items: &[Item<'_>]) -> Result<(Message, ListedForm), String> {
    let has_hosted = items.iter().any(|item| item.hosted.is_some());
    let output = items.iter().map(|item| match item.hosted {
        Some(HostedItem::Call(id)) => hosted::as_function(item.value, id),
        _ => whole(item.value),
    });
    let message =
        Wire::OpenAiResponses.said_by(output, |output| json!({ "output": output, "status": "completed" }))?;
    Ok((message, if has_hosted { ListedForm::Unchanged } else { ListedForm::Encoded }))
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

fn given(item: &Item<'_>) -> Result<(Message, ListedForm), String> {
    let Item { value: item, hosted } = *item;
    if let Some(HostedItem::Output(id)) = hosted {
        let form = hosted::frame(item).map_or(ListedForm::Unchanged, ListedForm::Output);
        return Ok((hosted::result(item, id)?, form));
    }
    Ok((message(item)?, ListedForm::Encoded))
}

fn message(item: &Value) -> Result<Message, String> {
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
