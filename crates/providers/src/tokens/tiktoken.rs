//! The reference counter.

use throughline_conversation::{FigureSource, Message, TokenCounter, ToolDefinition};
use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};

use super::{BpeCounter, Encoding, framing};

/// Characters of white space in a row from which the reference is not asked.
///
/// Its regular expression gives up, with a panic, from 999,999 blanks or tabs in a row (tiktoken-rs 0.12).
const MOST_BLANKS: usize = 100_000;

/// Counts by `tiktoken-rs`, the port of OpenAI's own implementation.
///
/// Here to compare [`BpeCounter`] with: it is slower, and it panics on some texts. Those (100,000 characters of
/// white space in a row, or more) are given to [`BpeCounter`] instead, whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TiktokenCounter {
    encoding: Encoding,
}

impl TiktokenCounter {
    /// A counter for this encoding. Loads nothing.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding }
    }

    /// Whether the reference counts this text itself.
    #[must_use]
    pub fn takes(text: &str) -> bool {
        // A run that is too long covers one of these places, so the rest of the text need not be looked at.
        !(0..text.len()).step_by(MOST_BLANKS / 2).any(|place| blanks_around(text, place) >= MOST_BLANKS)
    }

    fn tables(self) -> &'static CoreBPE {
        match self.encoding {
            Encoding::O200k => o200k_base_singleton(),
            Encoding::Cl100k => cl100k_base_singleton(),
        }
    }
}

/// Characters of white space in a row around a place.
fn blanks_around(text: &str, place: usize) -> usize {
    let (before, after) = text.split_at_checked(text.floor_char_boundary(place)).unwrap_or((text, ""));
    let is_blank = |c: &char| c.is_whitespace();
    before.chars().rev().take_while(is_blank).count() + after.chars().take_while(is_blank).count()
}

impl TokenCounter for TiktokenCounter {
    fn text(&self, text: &str) -> u64 {
        if Self::takes(text) {
            self.tables().encode_ordinary(text).len() as u64
        } else {
            BpeCounter::new(self.encoding).text(text)
        }
    }

    fn source(&self) -> FigureSource {
        FigureSource::Exact
    }

    fn message(&self, message: &Message) -> u64 {
        framing::message(self, message)
    }

    fn tool(&self, tool: &ToolDefinition) -> u64 {
        framing::tool(self, tool)
    }
}
