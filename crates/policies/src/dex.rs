//! The policy `dex`: first removes tool responses, level by level; then summarizes all but the last messages.
//!
//! Differences from its design: a removed response becomes a stub, so that its call still has an answer; responses that
//! the model has not read are never removed; the target counts system prompt and tools as the threshold does; the
//! messages that stay begin with a whole step; the user's last request stays a message of its own.

use std::sync::Arc;

use throughline_budget::Threshold;
use throughline_compaction::{
    CompactionJob, CompactionPolicy, Strategy, StrategyChain, Summarizer, Template,
};
use throughline_engine::Settings;
use throughline_resultstore::{OffloadPolicy, PreviewFormat};

use crate::estimator::Estimator;
use crate::summary::DesignedSummary;
use crate::thresholds::percent_of_window;

mod history;
mod removal;
mod rules;
mod summary;

use removal::ToolResponseRemoval;
use summary::HistorySummary;

/// The prompt of its summary, with the history in the middle.
const TEMPLATE: Template = Template {
    name: "dex",
    prompt: include_str!("../texts/dex.md"),
    headings: &["User Intent", "Current State"],
};
/// For a help text.
pub(crate) const SUMMARY: &str =
    "Warns at 80 % of the window; at 90 % removes tool responses by level, then keeps the last 10 messages";

/// A quarter of the bytes.
pub(crate) const ESTIMATOR: Estimator = Estimator::Chars4;

/// Warns at 80 % and compacts at 90 % of the whole window: 160,000 and 180,000 tokens of 200,000.
pub(crate) fn settings(mut own: Settings, window: u64) -> Settings {
    own.early = Threshold::Off;
    own.thresholds = percent_of_window(80.0, 90.0, window, own.max_output_tokens);
    // Only what alone could fill a window leaves it at once, and its start stays.
    own.offload = OffloadPolicy {
        threshold_bytes: 200_000,
        read_threshold_bytes: 0,
        head_bytes: 1_000,
        tail_bytes: 0,
        error_lines: 0,
        name_bytes: 0,
        format: PreviewFormat::HeadTail,
    };
    own.compaction = CompactionPolicy { chain: Arc::new(Dex::default()), ..CompactionPolicy::default() };
    own
}

/// The strategy chain of the policy `dex`, with its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dex {
    /// Per cent of the tool responses to remove, tried in this order.
    pub levels: Vec<u8>,
    /// The first level is taken that brings the request below this many per cent of the compaction threshold.
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

impl StrategyChain for Dex {
    fn strategies(&self, summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
        let design =
            HistorySummary { keep_messages: self.keep_messages, summary_tokens: self.summary_tokens };
        vec![
            Arc::new(ToolResponseRemoval { levels: self.levels.clone() }),
            Arc::new(DesignedSummary { design, summarizer }),
        ]
    }

    /// The most tokens of a view with which the request is below the target.
    fn target(&self, job: &CompactionJob<'_>) -> Option<u64> {
        let threshold = job.compact_at.unwrap_or_else(|| job.room.saturating_add(job.fixed));
        let target = threshold.saturating_mul(u64::from(self.target_percent)) / 100;
        Some(target.saturating_sub(1).saturating_sub(job.fixed))
    }
}

#[cfg(test)]
mod tests;
