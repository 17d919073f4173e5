//! Tokens as the server counts them: bytes by four.

use serde_json::Value;
use throughline_conversation::ContentBlock;

/// Bytes that one token is taken to have.
pub(crate) const BYTES: usize = 4;

/// Tokens of a prompt: of its messages, system prompt and tools as JSON, at least 1.
pub(crate) fn of_prompt(body: &Value) -> u64 {
    of_fields(
        body,
        &["messages", "input", "contents", "system", "systemInstruction", "instructions", "tools"],
    )
}

/// Tokens of the messages alone.
pub(crate) fn of_messages(body: &Value) -> u64 {
    of_fields(body, &["messages"])
}

fn of_fields(body: &Value, names: &[&str]) -> u64 {
    let fields = names.iter().filter_map(|name| body.get(name)).filter(|field| !field.is_null());
    of_bytes(fields.map(|field| field.to_string().len()).sum())
}

/// Tokens of what a model said, thinking included.
pub(crate) fn of_blocks(blocks: &[ContentBlock]) -> u64 {
    of_bytes(blocks.iter().map(bytes).sum())
}

/// Tokens of what a model thought.
pub(crate) fn of_thinking(blocks: &[ContentBlock]) -> u64 {
    let thoughts: Vec<&ContentBlock> =
        blocks.iter().filter(|block| matches!(block, ContentBlock::Thinking(_))).collect();
    if thoughts.is_empty() { 0 } else { of_bytes(thoughts.into_iter().map(bytes).sum()) }
}

fn bytes(block: &ContentBlock) -> usize {
    match block {
        ContentBlock::Text { text } => text.len(),
        ContentBlock::Thinking(thinking) => {
            thinking.text.len() + thinking.redacted.as_ref().map_or(0, String::len)
        }
        ContentBlock::ToolCall(call) => call.name.len() + call.input.to_string().len(),
        ContentBlock::Image(_) | ContentBlock::ToolResult(_) => 0,
    }
}

fn of_bytes(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(BYTES)).unwrap_or(u64::MAX).max(1)
}
