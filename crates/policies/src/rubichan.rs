//! The policy `rubichan`: clears old results, then summarizes, then drops the oldest exchanges.
//!
//! Differences from its design: a cleared result has a reference to read it by; each strategy runs while the request is
//! above one target, not only while it is above the whole window; no step is split, and dropped messages can be read
//! back; without a model the summary is made by rule.

use std::sync::Arc;

use throughline_budget::Threshold;
use throughline_compaction::{
    CompactionJob, CompactionPolicy, Strategy, StrategyChain, Summarizer, Template, fraction_of,
};
use throughline_engine::Settings;
use throughline_prompt::DynamicPlacement;
use throughline_resultstore::OffloadPolicy;

use crate::summary::DesignedSummary;

mod clearing;
mod signals;
mod summarization;
mod truncation;

use clearing::ResultClearing;
use signals::Signals;
use summarization::Summarization;
use truncation::Truncation;

/// The prompt of its summary: the design has no prompt of its own.
const TEMPLATE: Template = Template { name: "rubichan", ..Template::ROLLING };

/// For a help text.
pub(crate) const SUMMARY: &str =
    "Note at 80 %, compact at 95 %, block at 98 %; clears, summarizes, drops. Stores results over 4096 bytes";

/// The default thresholds: note at 80 %, compact at 95 %, block at 98 % of the effective window.
pub(crate) fn settings(mut own: Settings) -> Settings {
    own.early = Threshold::Off;
    own.placement = DynamicPlacement::SystemTail;
    own.offload = OffloadPolicy::seed();
    own.compaction = CompactionPolicy { chain: Arc::new(Rubichan::default()), ..CompactionPolicy::default() };
    own
}

/// The strategy chain of the policy `rubichan`, with its numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Rubichan {
    /// Results in this many per cent of the messages, the oldest, are cleared.
    pub clear_percent: u8,
    /// The same when many messages have failed results: what went wrong should stay in sight.
    pub clear_percent_errors: u8,
    /// The same when most messages are tool calls and results, unless many have failed.
    pub clear_percent_tools: u8,
    /// Results of at least this many bytes are cleared; of three quarters of it when most messages are tool calls.
    pub clear_bytes: usize,
    /// Above this part of the messages, many have failed results.
    pub many_errors: f64,
    /// Above this part of the messages, most are tool calls and results.
    pub many_tools: f64,
    /// Fewer messages are not summarized.
    pub summarize_from: usize,
    /// This many per cent of the messages, the oldest, are summarized.
    pub summarize_percent: u8,
    /// Tokens of a summary's prose at most.
    pub summary_tokens: u64,
    /// Part of the effective window that the request is to come down to.
    pub target: f64,
}

impl Default for Rubichan {
    fn default() -> Self {
        Self {
            clear_percent: 50,
            clear_percent_errors: 35,
            clear_percent_tools: 65,
            clear_bytes: 1_024,
            many_errors: 0.3,
            many_tools: 0.6,
            summarize_from: 20,
            summarize_percent: 60,
            summary_tokens: 1_024,
            target: 0.7,
        }
    }
}

impl StrategyChain for Rubichan {
    fn strategies(&self, summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
        vec![
            Arc::new(ResultClearing { numbers: self.clone() }),
            Arc::new(DesignedSummary { design: Summarization { numbers: self.clone() }, summarizer }),
            Arc::new(Truncation),
        ]
    }

    fn target(&self, job: &CompactionJob<'_>) -> Option<u64> {
        let window = job.room.saturating_add(job.fixed);
        Some(fraction_of(window, self.target).saturating_sub(job.fixed))
    }
}

#[cfg(test)]
mod tests;
