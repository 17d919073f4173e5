//! The preset `vibe`: one summary of everything, with the user's last request behind it.
//!
//! Where it parts from its design: the messages that make a request for the summary valid are in that request only,
//! never in the log; an answer that is empty, a refusal, a tool call or not shorter than the messages changes nothing;
//! the last request is the last that a person wrote, found again inside an earlier summary if need be; a call that
//! waits for its result stays, with its message.

use std::sync::Arc;

use crate::{Strategy, Summarizer};

mod clean;
mod summary;

use summary::ConversationSummary;

/// Numbers of the preset `vibe`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vibe {
    /// Tokens of a summary's prose at most, and a fifth of the room at most.
    pub summary_tokens: u64,
}

impl Default for Vibe {
    fn default() -> Self {
        Self { summary_tokens: 4_000 }
    }
}

impl Vibe {
    pub(super) fn chain(&self, summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
        vec![Arc::new(ConversationSummary { summary_tokens: self.summary_tokens, summarizer })]
    }
}

#[cfg(test)]
mod tests;
