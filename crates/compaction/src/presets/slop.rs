//! The preset `slop`: the last groups of the conversation, and in them results cut to sizes by age.
//!
//! Where it parts from its design: cuts are made in batches, at each new message of the user and when enough results
//! have come together, because each cut makes the provider's cache cold behind it; in front of the query stands a
//! reference, so that a later cut, and a session without the query tool, find the whole result too.

use std::sync::Arc;

use throughline_conversation::View;

use crate::Strategy;

mod tiers;

use tiers::ResultTiers;

/// Numbers of the preset `slop`. Sizes are characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slop {
    /// How many of the newest groups are shown. 0: all.
    pub groups: u32,
    /// So many of the newest results of the group at work are cut last.
    pub recent: usize,
    /// Size of those.
    pub recent_chars: usize,
    /// Size of the older results of the group at work.
    pub older_chars: usize,
    /// Size of results in groups before it.
    pub inactive_chars: usize,
    /// Inside a group, results are cut when so many have come since the last cut.
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

impl Slop {
    pub(super) fn chain(&self) -> Vec<Arc<dyn Strategy>> {
        vec![Arc::new(ResultTiers { numbers: self.clone() })]
    }

    pub(super) fn batch_due(&self, view: &View, fresh: bool) -> bool {
        tiers::batch_due(self, view, fresh)
    }
}

#[cfg(test)]
mod tests;
