//! The oldest rule of thumb: a token is four bytes.

use throughline_conversation::{ContentBlock, Message, TokenCounter, ToolDefinition};

/// Counts a quarter of the bytes, rounded down, block by block, plus 50 for each tool call. Messages have no overhead.
///
/// Coarse: about right for English prose, a third too low for code, and too high for Chinese. Use it only where its
/// exact numbers are required; [`crate::ScriptAwareEstimator`] is the better estimate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Chars4Estimator;

/// Overhead of a call's name, id and brackets.
const CALL: u64 = 50;
/// The rule does not cover images; this is about what one costs, independent of its bytes.
const IMAGE: u64 = 1_600;

impl TokenCounter for Chars4Estimator {
    fn text(&self, text: &str) -> u64 {
        text.len() as u64 / 4
    }

    fn block(&self, block: &ContentBlock) -> u64 {
        match block {
            ContentBlock::Text { text } => self.text(text),
            ContentBlock::Thinking(thinking) => self
                .text(&thinking.text)
                .saturating_add(thinking.redacted.as_deref().map_or(0, |data| self.text(data))),
            ContentBlock::Image(_) => IMAGE,
            ContentBlock::ToolCall(call) => self.text(&call.input.to_string()).saturating_add(CALL),
            ContentBlock::ToolResult(result) => {
                self.text(&result.content).saturating_add(IMAGE.saturating_mul(result.images.len() as u64))
            }
        }
    }

    fn message(&self, message: &Message) -> u64 {
        message.content.iter().fold(0, |sum: u64, block| sum.saturating_add(self.block(block)))
    }

    fn tool(&self, tool: &ToolDefinition) -> u64 {
        self.text(&tool.name)
            .saturating_add(self.text(&tool.description))
            .saturating_add(self.text(&tool.input_schema.to_string()))
    }
}
