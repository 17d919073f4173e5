//! Signals of the kind of conversation, from its messages.

use throughline_conversation::{ContentBlock, Entry};

/// Shares of the messages, between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Signals {
    /// Messages with a failed result.
    pub(super) error_density: f64,
    /// Messages with a tool call or a result.
    pub(super) tool_call_density: f64,
    /// How many messages there are.
    pub(super) messages: usize,
}

impl Signals {
    /// The signals of these entries. No entries: all 0.
    pub(super) fn of(entries: &[Entry]) -> Self {
        let share = |has: fn(&ContentBlock) -> bool| {
            let with = entries.iter().filter(|entry| entry.message.content.iter().any(has)).count();
            with as f64 / entries.len().max(1) as f64
        };
        Self {
            error_density: share(
                |block| matches!(block, ContentBlock::ToolResult(result) if result.is_error),
            ),
            tool_call_density: share(|block| {
                matches!(block, ContentBlock::ToolCall(_) | ContentBlock::ToolResult(_))
            }),
            messages: entries.len(),
        }
    }
}
