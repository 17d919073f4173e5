//! The exact counter.

use throughline_conversation::{FigureSource, Message, TokenCounter, ToolDefinition};

use super::remembered::Remembered;
use super::splitter::Splitter;
use super::{Encoding, framing};

/// Counts by an encoding of OpenAI, exactly.
///
/// Equal to the reference implementation on every text, and linear on hostile ones too. The tables are loaded at
/// the first count of the process (about 60 ms and 60 MB for `o200k_base`), never at construction.
///
/// Messages and tools are counted as OpenAI's cookbook says (see [`crate::tokens::PER_REQUEST`] for what is
/// added once for each request). Models of other providers have other tokenizers: there the figure is an
/// estimate, whatever [`TokenCounter::source`] says here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BpeCounter {
    encoding: Encoding,
}

impl BpeCounter {
    /// A counter for this encoding. Loads nothing.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding }
    }

    /// The encoding.
    #[must_use]
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }
}

impl TokenCounter for BpeCounter {
    fn text(&self, text: &str) -> u64 {
        let mut tokens: u64 = 0;
        Remembered::lend(self.encoding, |known| {
            Splitter::new(self.encoding).each(text, |piece| tokens += known.count(piece.as_bytes()));
        });
        tokens
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
