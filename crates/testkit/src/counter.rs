//! A counter whose figures a person can check by reading.

use throughline_conversation::{ContentBlock, Message, TokenCounter};

/// One token a word. Messages, calls and results have no frame; an image is 10.
#[derive(Debug, Clone, Copy, Default)]
pub struct WordCounter;

impl TokenCounter for WordCounter {
    fn text(&self, text: &str) -> u64 {
        text.split_whitespace().count() as u64
    }

    fn block(&self, block: &ContentBlock) -> u64 {
        match block {
            ContentBlock::Text { text } => self.text(text),
            ContentBlock::Thinking(thinking) => self.text(&thinking.text),
            ContentBlock::Image(_) => 10,
            ContentBlock::ToolCall(call) => 1 + self.text(&call.input.to_string()),
            ContentBlock::ToolResult(result) => self.text(&result.content) + 10 * result.images.len() as u64,
        }
    }

    fn message(&self, message: &Message) -> u64 {
        message.content.iter().map(|block| self.block(block)).sum()
    }
}
