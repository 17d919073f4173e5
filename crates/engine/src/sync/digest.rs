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
            text.push('\n');
            text.push_str(&compared(block).to_string());
        }
        Self(FileVersion::hash(text.as_bytes()))
    }
}

/// The form in which a block is compared.
pub(crate) fn compared(block: &ContentBlock) -> Value {
    let mut value = serde_json::to_value(block).unwrap_or_default();
    value.sort_all_objects();
    value
}
