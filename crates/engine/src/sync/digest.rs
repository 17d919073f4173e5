//! The digest of a message.

use serde_json::Value;
use throughline_conversation::{ContentBlock, FileVersion, Message};

use super::is_compared;
use super::pieces::PieceKind;

/// What two messages have in common if they say the same: kind, texts, pictures, calls and results, by SHA-256. Thinking is
/// left out, because frameworks drop and rewrite it, and so is the order of keys in the input of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MessageDigest(String);

impl MessageDigest {
    pub(crate) fn of(kind: PieceKind, message: &Message) -> Self {
        let mut text = String::from(kind.name());
        for block in message.content.iter().filter(|block| is_compared(block)) {
            write(&mut text, block);
        }
        Self(FileVersion::hash(text.as_bytes()))
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
