//! The policy `vibe`: one summary of everything, with the user's last request behind it.
//!
//! Differences from its design: the messages that make a request for the summary valid are in that request only, never in
//! the log; an answer that is empty, a refusal, a tool call or not shorter than the messages changes nothing; the last
//! request is the last that a person wrote, inside an earlier summary if need be; a call that waits for its result stays,
//! with its message.

use std::sync::Arc;

use throughline_budget::{Threshold, Thresholds};
use throughline_compaction::{CompactionJob, CompactionPolicy, Strategy, StrategyChain, Summarizer};
use throughline_engine::{Recount, Settings};

use crate::off::no_offload;
use crate::summary::DesignedSummary;
use crate::thresholds::fitting;

mod clean;
mod summary;

use summary::ConversationSummary;

pub(crate) use summary::SECTIONS;

/// For a help text.
pub(crate) const SUMMARY: &str =
    "Replaces the conversation by one summary and the last request at 200,000 tokens";

/// Compacts at 200,000 tokens, whatever the window, as long as it holds them.
pub(crate) fn settings(mut own: Settings, window: u64) -> Settings {
    let of = |compact| Thresholds {
        notice: Threshold::Off,
        warn: Threshold::Off,
        compact,
        ..Thresholds::default()
    };
    own.early = Threshold::Off;
    own.thresholds = fitting(
        of(Threshold::Tokens(200_000)),
        of(Thresholds::default().compact),
        window,
        own.max_output_tokens,
    );
    // One summary of everything is worth its price however little it saves.
    own.compaction = CompactionPolicy {
        chain: Arc::new(Vibe::default()),
        minimum_gain: 0.0,
        ..CompactionPolicy::default()
    };
    own.offload = no_offload();
    own.recount = Recount::Probe;
    own
}

/// The strategy chain of the policy `vibe`, with its numbers.
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

impl StrategyChain for Vibe {
    fn strategies(&self, summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
        let design = ConversationSummary { summary_tokens: self.summary_tokens };
        vec![Arc::new(DesignedSummary { design, summarizer })]
    }

    /// Summarizes everything, whatever the size.
    fn target(&self, _job: &CompactionJob<'_>) -> Option<u64> {
        Some(0)
    }
}

#[cfg(test)]
mod tests;
