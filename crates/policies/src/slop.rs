//! The policy `slop`: shows the last groups of the conversation, with results cut to sizes by age.
//!
//! Differences from its design: cuts are made in batches, at each new user message and when enough results have come
//! together, because each cut makes the provider's cache cold behind it; a reference precedes the query, so that a later
//! cut, and a session without the query tool, find the whole result too.

use std::sync::Arc;

use throughline_budget::{Threshold, Thresholds};
use throughline_compaction::{CompactionJob, CompactionPolicy, Strategy, StrategyChain, Summarizer};
use throughline_conversation::{ForeignTools, View};
use throughline_engine::Settings;
use throughline_prompt::DynamicPlacement;

use crate::off::no_offload;

mod tiers;

use tiers::ResultTiers;

/// For a help text.
pub(crate) const SUMMARY: &str =
    "Shows the last groups, with results cut to 5000, 1000 and 300 characters by age";

/// No threshold of its own; the block at 98 % keeps one long group from filling the window.
pub(crate) fn settings(mut own: Settings) -> Settings {
    own.early = Threshold::Off;
    own.thresholds = Thresholds {
        notice: Threshold::Off,
        warn: Threshold::Off,
        compact: Threshold::Off,
        ..Thresholds::default()
    };
    // A batch of cuts is made when it is due, not when it saves much.
    own.compaction = CompactionPolicy {
        chain: Arc::new(Slop::default()),
        minimum_gain: 0.0,
        ..CompactionPolicy::default()
    };
    own.placement = DynamicPlacement::SystemTail;
    own.foreign = ForeignTools::Isolate;
    own.offload = no_offload();
    own
}

/// The strategy chain of the policy `slop`, with its numbers. Sizes are characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slop {
    /// How many of the newest groups are shown. 0: all.
    pub groups: u32,
    /// This many of the newest results of the group at work are cut last.
    pub recent: usize,
    /// Size of those.
    pub recent_chars: usize,
    /// Size of the older results of the group at work.
    pub older_chars: usize,
    /// Size of results in groups before it.
    pub inactive_chars: usize,
    /// Inside a group, results are cut when this many have come since the last cut.
    pub batch: usize,
    /// Tools that read things back: their results stay whole in the group at work.
    pub exempt: Vec<String>,
}

impl Default for Slop {
    fn default() -> Self {
        Self {
            groups: 5,
            recent: 5,
            recent_chars: 5_000,
            older_chars: 1_000,
            inactive_chars: 300,
            batch: 10,
            exempt: ["query_db", "read_result", "retrieve_memos", "memory_search"]
                .map(str::to_owned)
                .to_vec(),
        }
    }
}

impl StrategyChain for Slop {
    fn strategies(&self, _summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
        vec![Arc::new(ResultTiers { numbers: self.clone() })]
    }

    /// Cuts every result that is longer than its age allows, whatever the size of the view.
    fn target(&self, _job: &CompactionJob<'_>) -> Option<u64> {
        Some(0)
    }

    fn batch_due(&self, view: &View, fresh: bool) -> bool {
        tiers::batch_due(self, view, fresh)
    }

    fn shown_groups(&self) -> Option<u32> {
        Some(self.groups).filter(|groups| *groups > 0)
    }
}

#[cfg(test)]
mod tests;
