//! Content blocks on Anthropic's wire.

use serde_json::{Map, Value, json};
use throughline_conversation::{ContentBlock, Image, Role, Thinking, ToolCall, ToolResult};

use crate::anthropic::provider_items::PROVIDER_ITEMS;
use crate::form::name::{wire_id, wire_name};

/// Formats of pictures that the API takes (Anthropic documentation, "Vision").
const PICTURES: &[&str] = &["image/jpeg", "image/png", "image/gif", "image/webp"];

/// The text of a failed result that has none.
const NO_REASON: &str = "[the call failed and gave no reason]";

/// A block of a message of this role; none when the API would refuse it and nothing is lost without it. Behind a result
/// that failed come its pictures, which the API does not take inside it.
pub(super) fn encode(role: Role, block: &ContentBlock) -> Vec<Value> {
    let one = match (role, block) {
        (_, ContentBlock::Text { text }) => self::text(text),
        (Role::User, ContentBlock::Image(image)) => Some(self::image(image)),
        (Role::Assistant, ContentBlock::Image(image)) => Some(image_note(image)),
        (Role::Assistant, ContentBlock::Thinking(thinking)) => self::thinking(thinking),
        (Role::Assistant, ContentBlock::ToolCall(call)) => Some(tool_use(call)),
        (Role::User, ContentBlock::ToolResult(result)) if result.is_error => return failed(result),
        (Role::User, ContentBlock::ToolResult(result)) => Some(tool_result(result)),
        _ => None,
    };
    one.into_iter().collect()
}

/// A text; empty ones are refused by the API.
pub(super) fn text(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}))
}

fn image(image: &Image) -> Value {
    if !PICTURES.contains(&image.media_type.as_str()) || image.data.is_empty() {
        return image_note(image);
    }
    json!({
        "type": "image",
        "source": {"type": "base64", "media_type": image.media_type, "data": image.data},
    })
}

/// Replaces a picture that the API does not take in this place or format.
fn image_note(image: &Image) -> Value {
    json!({"type": "text", "text": format!("[picture of type {:?}, not shown]", image.media_type)})
}

fn thinking(thinking: &Thinking) -> Option<Value> {
    if let Some(item) = thinking.item() {
        return Some(item).filter(|item| PROVIDER_ITEMS.iter().any(|kind| is(item, kind)));
    }
    if let Some(data) = &thinking.redacted {
        return Some(json!({"type": "redacted_thinking", "data": data}));
    }
    let signature = thinking.signature.as_deref().filter(|signature| !signature.is_empty())?;
    Some(json!({"type": "thinking", "thinking": thinking.text, "signature": signature}))
}

/// Returns true if it is thinking in words that nothing signs.
pub(super) fn is_unsigned(thinking: &Thinking) -> bool {
    let signed = thinking.signature.as_deref().is_some_and(|signature| !signature.is_empty());
    !signed && thinking.redacted.is_none() && !thinking.text.is_empty()
}

/// Thinking for a server that signs nothing, and so checks no signature.
pub(super) fn unsigned_thinking(text: &str) -> Value {
    json!({"type": "thinking", "thinking": text, "signature": "unsigned"})
}

fn tool_use(call: &ToolCall) -> Value {
    let input = if call.input.is_object() { call.input.clone() } else { json!({"value": call.input}) };
    json!({"type": "tool_use", "id": wire_id(&call.id), "name": wire_name(&call.name), "input": input})
}

fn tool_result(result: &ToolResult) -> Value {
    let content = if result.images.is_empty() {
        (!result.content.is_empty()).then(|| json!(result.content))
    } else {
        let said = text(&result.content).into_iter();
        Some(said.chain(result.images.iter().map(image)).collect())
    };
    Value::Object(result_head(result, content))
}

/// A failed result has text, and nothing else (the API's answer to anything else is "content cannot be
/// empty" and "all content must be type `text`", each "if `is_error` is true").
fn failed(result: &ToolResult) -> Vec<Value> {
    let said = Some(result.content.as_str()).filter(|said| !said.trim().is_empty());
    let mut block = result_head(result, Some(json!(said.unwrap_or(NO_REASON))));
    block.insert("is_error".to_owned(), json!(true));
    let mut blocks = vec![Value::Object(block)];
    if !result.images.is_empty() {
        let label = format!("[pictures of the result of call {}]", wire_id(&result.call_id));
        blocks.push(json!({"type": "text", "text": label}));
        blocks.extend(result.images.iter().map(image));
    }
    blocks
}

fn result_head(result: &ToolResult, content: Option<Value>) -> Map<String, Value> {
    let mut block = Map::new();
    block.insert("type".to_owned(), json!("tool_result"));
    block.insert("tool_use_id".to_owned(), json!(wire_id(&result.call_id)));
    block.extend(content.map(|content| ("content".to_owned(), content)));
    block
}

/// Returns true if a block on the wire is of this type.
pub(super) fn is(block: &Value, kind: &str) -> bool {
    block.get("type").and_then(Value::as_str) == Some(kind)
}

/// Returns true if a block on the wire is thinking of either kind. Such a block takes no marker and may not come last.
pub(super) fn is_thinking(block: &Value) -> bool {
    is(block, "thinking") || is(block, "redacted_thinking")
}
