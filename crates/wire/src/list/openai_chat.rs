//! The messages of a request to OpenAI's Chat Completions API.

use serde_json::{Value, json};
use throughline_conversation::Message;

use super::{parts, role, user, wrong_role};
use crate::wire::Wire;

pub(super) fn message(item: &Value) -> Result<Message, String> {
    let content = item.get("content").unwrap_or(&Value::Null);
    match role(item) {
        Some("assistant") => {
            let mut said = item.clone();
            // An answer has one text; a request may have it in parts.
            if let (Some(object), Value::Array(texts)) = (said.as_object_mut(), content) {
                let texts: Result<Vec<&str>, String> =
                    texts.iter().map(|part| parts::text(part, "text")).collect();
                object.insert("content".to_owned(), json!(texts?.join("\n")));
            }
            Wire::OpenAiChat
                .said(&said, |said| json!({ "choices": [{ "message": said, "finish_reason": "stop" }] }))
        }
        Some("tool") => {
            let result = parts::result(parts::text(item, "tool_call_id")?, content, false)?;
            Ok(Message::results([result]))
        }
        Some("user" | "system" | "developer") => Ok(user(parts::content(content)?)),
        _ => Err(wrong_role(item, "system, user, assistant or tool")),
    }
}
