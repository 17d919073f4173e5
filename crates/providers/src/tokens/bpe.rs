//! The exact counter of `o200k_base` and `o200k_harmony`.

use throughline_conversation::{FigureSource, Message, TokenCounter, ToolDefinition};

use super::framing;
use super::remembered::Remembered;
use super::splitter::Splitter;

/// Counts by `o200k_base`, exactly; `o200k_harmony` has the same tokens for text.
///
/// Equal to the reference implementation on every text, and linear on hostile ones too. The tables are loaded at
/// the first count of the process (about 10 ms and 7 MB), never at construction.
///
/// Messages and tools are counted by OpenAI's cookbook; the overhead of each request is not. Models of
/// other providers have other tokenizers: there the figure is an estimate, whatever [`TokenCounter::source`] returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BpeCounter;

impl TokenCounter for BpeCounter {
    fn text(&self, text: &str) -> u64 {
        let mut tokens: u64 = 0;
        Remembered::lend(|known| {
            Splitter::new().each(text, |piece| tokens += known.count(piece.as_bytes()));
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
