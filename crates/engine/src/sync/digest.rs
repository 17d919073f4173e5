//! The digest of a message.

use serde_json::Value;
use throughline_conversation::{ContentBlock, Message, sha256};

use super::is_compared;
use super::pieces::PieceKind;

/// What two messages have in common if they say the same: kind, texts, pictures, calls and results, by SHA-256. Thinking is
/// left out, because frameworks drop and rewrite it, and so is the order of keys in the input of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MessageDigest([u8; 32]);

impl MessageDigest {
    pub(crate) fn of(kind: PieceKind, message: &Message) -> Self {
        // Room for the names and lengths of a few parts behind the texts.
        let size: usize = message.content.iter().map(text_size).sum();
        let mut text = String::with_capacity(size + 256);
        text.push_str(kind.name());
        let mut blocks: Vec<&ContentBlock> =
            message.content.iter().filter(|block| is_compared(block)).collect();
        if kind == PieceKind::Results {
            // Results say the same in any order.
            blocks.sort_by_key(|block| match block {
                ContentBlock::ToolResult(result) => result.call_id.as_str(),
                _ => "",
            });
        }
        for block in blocks {
            write(&mut text, block);
        }
        Self(sha256(text.as_bytes()))
    }
}

/// Bytes of the text in a block.
fn text_size(block: &ContentBlock) -> usize {
    match block {
        ContentBlock::Text { text } => text.len(),
        ContentBlock::ToolResult(result) => result.content.len(),
        _ => 0,
    }
}

/// Appends a block. Texts are appended without the form of [`compared`]: a list has thousands of them.
fn write(text: &mut String, block: &ContentBlock) {
    match block {
        ContentBlock::Text { text: said } => part(text, "text", said),
        ContentBlock::ToolResult(result) if result.images.is_empty() => {
            part(text, if result.is_error { "error" } else { "result" }, &result.call_id);
            part(text, "content", &result.content);
        }
        other => part(text, "block", &compared(other).to_string()),
    }
}

/// Appends a text behind its length, so that two lists of parts are never one text.
fn part(text: &mut String, name: &str, value: &str) {
    text.push('\n');
    text.push_str(name);
    text.push_str(&value.len().to_string());
    text.push(':');
    text.push_str(value);
}

/// The form in which a block is compared.
pub(crate) fn compared(block: &ContentBlock) -> Value {
    let mut value = serde_json::to_value(block).unwrap_or_default();
    value.sort_all_objects();
    value
}
