//! The framing of messages and tools by OpenAI's models.
//!
//! From OpenAI's cookbook, "How to count tokens with tiktoken": three tokens around each message and its role,
//! three to begin the answer, and for tools a form of their own that is shorter than their JSON. The cookbook
//! calls its own figures estimates that may change with the model; they agree with the API where it prints both.

use serde_json::{Map, Value};
use throughline_conversation::{ContentBlock, Message, TokenCounter, ToolDefinition};

/// Around a message, and the name of its role (`user`, `assistant`, `tool`: one token each).
const MESSAGE: u64 = 3 + 1;

/// Around a tool.
const TOOL: u64 = 7;
/// Before the properties of a tool.
const PROPERTIES: u64 = 3;
/// Around a property.
const PROPERTY: u64 = 3;
/// Around a permitted value; the first one of a property has no separator before it.
const ENUM_VALUE: u64 = 3;

/// A message as it goes over the wire: each tool result is a message of its own there.
pub(super) fn message(counter: &dyn TokenCounter, message: &Message) -> u64 {
    let results = message.tool_results().count() as u64;
    let has_more = message.content.iter().any(|block| !matches!(block, ContentBlock::ToolResult(_)));
    let frames = (results + u64::from(has_more)).max(1);
    let blocks = message.content.iter().map(|block| counter.block(block));
    blocks.fold(MESSAGE.saturating_mul(frames), u64::saturating_add)
}

/// A tool in the form that the model reads.
pub(super) fn tool(counter: &dyn TokenCounter, tool: &ToolDefinition) -> u64 {
    let description = without_stop(&tool.description);
    let line = counter.text(&format!("{}:{description}", tool.name));
    // How nested schemas are written is not published; their JSON is an upper bound.
    let schema =
        flat(counter, &tool.input_schema).unwrap_or_else(|| counter.text(&tool.input_schema.to_string()));
    TOOL.saturating_add(line).saturating_add(schema)
}

/// Tokens of an object schema whose properties are plain values; `None` for any other schema.
fn flat(counter: &dyn TokenCounter, schema: &Value) -> Option<u64> {
    const KNOWN: &[&str] = &["type", "properties", "required", "additionalProperties", "$schema"];
    let schema = schema.as_object()?;
    if schema.keys().any(|key| !KNOWN.contains(&key.as_str())) {
        return None;
    }
    let Some(properties) = schema.get("properties") else { return Some(0) };
    let properties = properties.as_object()?;
    if properties.is_empty() {
        return Some(0);
    }
    properties.iter().try_fold(PROPERTIES, |sum: u64, (name, value)| {
        Some(sum.saturating_add(property(counter, name, value.as_object()?)?))
    })
}

fn property(counter: &dyn TokenCounter, name: &str, value: &Map<String, Value>) -> Option<u64> {
    if value.keys().any(|key| !["type", "description", "enum"].contains(&key.as_str())) {
        return None;
    }
    let kind = value.get("type")?.as_str()?;
    let description = value.get("description").map_or(Some(""), Value::as_str)?;
    let line = counter.text(&format!("{name}:{kind}:{}", without_stop(description)));
    let values = match value.get("enum") {
        Some(values) => values.as_array()?.iter().try_fold(0, |sum: u64, value| {
            Some(sum.saturating_add(ENUM_VALUE).saturating_add(counter.text(value.as_str()?)))
        })?,
        None => 0,
    };
    Some(PROPERTY.saturating_add(line).saturating_add(values.saturating_sub(ENUM_VALUE)))
}

fn without_stop(text: &str) -> &str {
    text.strip_suffix('.').unwrap_or(text)
}
