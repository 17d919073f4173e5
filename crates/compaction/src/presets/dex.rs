//! The preset `dex`: first remove tool responses, level by level; then summarize all but the last messages.
//!
//! Where it parts from its design: a removed response becomes a short text with a reference, so that its call keeps an
//! answer; responses that the model has not read are never removed; the target counts system prompt and tools as the
//! threshold does; the kept tail begins with a whole step; the user's last request stays a message of its own.

use std::sync::Arc;

use crate::{Job, Strategy, Summarizer, Template};

mod history;
mod removal;
mod rules;
mod summary;

use removal::ToolResponseRemoval;
use summary::HistorySummary;

/// How its summary is asked for. The history stands in the middle of the prompt.
const TEMPLATE: Template = Template {
    name: "dex",
    prompt: include_str!("../../texts/presets/dex.md"),
    headings: &["User Intent", "Current State"],
};
/// Heading of the summary, and what stands between a scratchpad and it.
const HEADING: &str = "## Compacted History\n";

/// Numbers of the preset `dex`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dex {
    /// Per cent of the tool responses to remove, tried in this order.
    pub levels: Vec<u8>,
    /// The first level is taken that brings the request below so many per cent of the compaction threshold.
    pub target_percent: u8,
    /// When no level does, this many of the newest messages stay, and the rest is summarized.
    pub keep_messages: usize,
    /// Tokens of a summary's prose at most, and a fifth of the room at most.
    pub summary_tokens: u64,
}

impl Default for Dex {
    fn default() -> Self {
        Self {
            levels: vec![0, 10, 20, 50, 100],
            target_percent: 80,
            keep_messages: 10,
            summary_tokens: 4_000,
        }
    }
}

impl Dex {
    pub(super) fn chain(&self, summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
        vec![
            Arc::new(ToolResponseRemoval { levels: self.levels.clone() }),
            Arc::new(HistorySummary {
                keep_messages: self.keep_messages,
                summary_tokens: self.summary_tokens,
                summarizer,
            }),
        ]
    }

    /// The most tokens of a view with which the request is below the target.
    pub(super) fn target(&self, job: &Job<'_>) -> u64 {
        let threshold = job.compact_at.unwrap_or_else(|| job.room.saturating_add(job.fixed));
        let target = threshold.saturating_mul(u64::from(self.target_percent)) / 100;
        target.saturating_sub(1).saturating_sub(job.fixed)
    }
}

/// A scratchpad as it is shown after a compaction: the document, and the summary below it.
///
/// The two are kept apart and only put together to be shown: a document that its author writes anew does not take the
/// summary with it.
#[must_use]
pub fn with_compacted_history(scratchpad: &str, summary: &str) -> String {
    format!("{scratchpad}\n\n{HEADING}{summary}")
}

#[cfg(test)]
mod tests;
