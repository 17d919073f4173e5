//! Estimates until exact figures are worth their tables.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use throughline_conversation::{
    ContentBlock, FigureSource, Message, TokenCounter, ToolDefinition, ToolResult,
};

/// Estimates while little has been counted, and counts exactly from there on, so that a short session never
/// loads the tables of an exact counter.
///
/// Until the bound is reached every figure is the estimate's, and [`TokenCounter::source`] returns that. Figures that
/// were given before do not change: a sum over both kinds is inexact by as much as the estimate was for its
/// part, and the same text may have two counts, one before and one after. A caller that measures from a provider's report
/// (the meter of `budget`) loses that difference with the next report.
///
/// Shared between threads, it switches once, for all of them.
#[derive(Debug)]
pub struct DeferredCounter {
    estimate: Arc<dyn TokenCounter>,
    exact: Arc<dyn TokenCounter>,
    /// Bytes that may still be estimated. 0: no more.
    left: AtomicU64,
}

impl DeferredCounter {
    /// Estimates the first `bytes` bytes of text with `estimate`, and counts with `exact` from there on. With 0 it
    /// is exact from the start.
    #[must_use]
    pub fn new(estimate: Arc<dyn TokenCounter>, exact: Arc<dyn TokenCounter>, bytes: u64) -> Self {
        Self { estimate, exact, left: AtomicU64::new(bytes) }
    }

    /// The counter for something of `bytes` bytes of text.
    fn choose(&self, bytes: impl FnOnce() -> u64) -> &dyn TokenCounter {
        if self.left.load(Ordering::Relaxed) == 0 {
            return &*self.exact;
        }
        let bytes = bytes();
        // Nothing but this number is shared, so the order against other memory does not matter.
        let spent = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(bytes)));
        if spent.is_ok_and(|left| left > bytes) { &*self.estimate } else { &*self.exact }
    }
}

impl TokenCounter for DeferredCounter {
    fn text(&self, text: &str) -> u64 {
        self.choose(|| text.len() as u64).text(text)
    }

    fn source(&self) -> FigureSource {
        self.choose(|| 0).source()
    }

    fn block(&self, block: &ContentBlock) -> u64 {
        self.choose(|| bytes_of(block)).block(block)
    }

    fn message(&self, message: &Message) -> u64 {
        self.choose(|| message.content.iter().map(bytes_of).sum()).message(message)
    }

    fn tool(&self, tool: &ToolDefinition) -> u64 {
        let bytes = || tool.name.len() + tool.description.len() + tool.input_schema.to_string().len();
        self.choose(|| bytes() as u64).tool(tool)
    }
}

/// Bytes of a block that a counter looks at. Pictures are not text.
fn bytes_of(block: &ContentBlock) -> u64 {
    let bytes = match block {
        ContentBlock::Text { text } | ContentBlock::ToolResult(ToolResult { content: text, .. }) => {
            text.len()
        }
        ContentBlock::Thinking(thinking) => {
            thinking.text.len() + thinking.redacted.as_ref().map_or(0, String::len)
        }
        ContentBlock::Image(_) => 0,
        ContentBlock::ToolCall(call) => call.name.len() + call.input.to_string().len(),
    };
    bytes as u64
}
