//! The messages of a request to Anthropic's Messages API.

use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, Message};

use super::{parts, role, user, wrong_role};
use crate::wire::Wire;

pub(super) fn message(item: &Value) -> Result<Message, String> {
    let content = item.get("content").unwrap_or(&Value::Null);
    match role(item) {
        Some("assistant") => Wire::Anthropic.said(item, |item| {
            let content = match item.get("content") {
                Some(Value::String(text)) => json!([{ "type": "text", "text": text }]),
                content => json!(content),
            };
            json!({ "content": content, "stop_reason": "end_turn" })
        }),
        Some("user") => match content {
            Value::Array(blocks) => Ok(user(blocks.iter().map(block).collect::<Result<_, _>>()?)),
            content => Ok(user(parts::content(content)?)),
        },
        Some("system") => Ok(user(parts::content(content)?)),
        _ => Err(wrong_role(item, "user or assistant")),
    }
}

fn block(block: &Value) -> Result<ContentBlock, String> {
    if parts::text(block, "type")? != "tool_result" {
        return parts::part(block);
    }
    let is_error = block.get("is_error").and_then(Value::as_bool).unwrap_or_default();
    let content = block.get("content").unwrap_or(&Value::Null);
    parts::result(parts::text(block, "tool_use_id")?, content, is_error).map(ContentBlock::ToolResult)
}
