//! The counter of the encodings that have no faster one, and the reference for the one that has.

use throughline_conversation::{FigureSource, Message, TokenCounter, ToolDefinition};
use tiktoken_rs::{
    CoreBPE, cl100k_base_singleton, o200k_base_singleton, o200k_harmony_singleton, p50k_base_singleton,
    r50k_base_singleton,
};

use super::{Encoding, framing};

/// Characters of white space in a row from which a text is counted in parts.
///
/// The library's regular expression gives up, with a panic, from 999,999 blanks or tabs in a row (tiktoken-rs 0.12).
const MOST_BLANKS: usize = 100_000;

/// Bytes of such a part.
const PART: usize = 50_000;

/// Counts by `tiktoken-rs`, the port of OpenAI's own implementation.
///
/// Exact, but for texts with 100,000 characters of white space in a row: these are counted in parts of 50,000 bytes, and
/// each part may add a token or two. The tables are loaded at the first count (60 to 150 ms, 25 to 50 MB).
///
/// A program contains the tables of those encodings only for which [`new`](Self::new) is called in a constant.
#[derive(Debug, Clone, Copy)]
pub struct TiktokenCounter {
    tables: fn() -> &'static CoreBPE,
}

impl TiktokenCounter {
    /// A counter for this encoding. Loads nothing.
    #[must_use]
    pub const fn new(encoding: Encoding) -> Self {
        let tables = match encoding {
            Encoding::O200k => o200k_base_singleton,
            Encoding::O200kHarmony => o200k_harmony_singleton,
            Encoding::Cl100k => cl100k_base_singleton,
            Encoding::P50k => p50k_base_singleton,
            Encoding::R50k => r50k_base_singleton,
        };
        Self { tables }
    }
}

/// Returns true if the text has no run of white space that the library may panic over.
pub(super) fn is_countable_whole(text: &str) -> bool {
    // A run that is too long covers one of these places, so the rest of the text need not be looked at.
    !(0..text.len()).step_by(MOST_BLANKS / 2).any(|place| blanks_around(text, place) >= MOST_BLANKS)
}

/// Characters of white space in a row around a place.
fn blanks_around(text: &str, place: usize) -> usize {
    let (before, after) = text.split_at_checked(text.floor_char_boundary(place)).unwrap_or((text, ""));
    let is_blank = |c: &char| c.is_whitespace();
    before.chars().rev().take_while(is_blank).count() + after.chars().take_while(is_blank).count()
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (part, after) = rest.split_at_checked(rest.floor_char_boundary(PART))?;
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

impl TokenCounter for TiktokenCounter {
    fn text(&self, text: &str) -> u64 {
        let count = |text| (self.tables)().count_ordinary(text) as u64;
        if is_countable_whole(text) { count(text) } else { parts(text).map(count).sum() }
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
