//! Pins: texts of a session that stay in every request, word for word.

use serde::{Deserialize, Serialize};

use crate::ids::{ExchangeId, Seq};
use crate::message::ContentBlock;
use crate::record::MessageRecord;
use crate::tokens::TokenCounter;

/// How a note with pinned texts begins.
const HEAD: &str = include_str!("../texts/pinned.md");

/// Texts of one exchange that a user pinned together. While the exchange is in the view, so are they: where they were said,
/// or in a note at the entry that covers or shortens that place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// Its number in the session, from 1. No two pins of a session have the same.
    pub number: u32,
    /// The exchange of its texts: hidden and deleted with it.
    pub exchange: ExchangeId,
    /// The texts, in the order of the log; at least one.
    pub texts: Vec<PinnedText>,
}

/// A pinned text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PinnedText {
    /// The record of its message.
    pub message: Seq,
    /// The text; never blank.
    pub text: String,
}

impl Pin {
    /// Tokens of its texts.
    #[must_use]
    pub fn tokens(&self, counter: &dyn TokenCounter) -> u64 {
        self.texts.iter().map(|pinned| counter.text(&pinned.text)).sum()
    }

    /// The texts and results of a message. Calls, thinking and pictures cannot be pinned.
    #[must_use]
    pub fn texts_of(message: Seq, said: &MessageRecord) -> Vec<PinnedText> {
        said.message.content.iter().filter_map(|block| PinnedText::of_block(message, block)).collect()
    }
}

impl PinnedText {
    /// The text or result in a block of a message; `None` for a block that cannot be pinned.
    #[must_use]
    pub fn of_block(message: Seq, block: &ContentBlock) -> Option<Self> {
        let text = match block {
            ContentBlock::Text { text } => text,
            ContentBlock::ToolResult(result) => &result.content,
            ContentBlock::Thinking(_) | ContentBlock::Image(_) | ContentBlock::ToolCall(_) => return None,
        };
        (!text.trim().is_empty()).then(|| Self { message, text: text.clone() })
    }
}

/// The note with pinned texts.
pub(crate) fn pinned_note(texts: &[&PinnedText]) -> String {
    let mut note = HEAD.trim_end().to_owned();
    for pinned in texts {
        note.push_str(&format!("\n<pinned record=\"{}\">\n{}\n</pinned>", pinned.message, pinned.text));
    }
    note
}

/// Returns true for the text of a note with pinned texts.
pub(crate) fn is_pinned_note(text: &str) -> bool {
    text.starts_with(HEAD.trim_end())
}
