//! Presets: whole chains by name, each with the numbers and the texts of one design.
//!
//! A preset decides how a view is shrunk. When that happens (the thresholds) and what leaves the window at once are
//! settings of others. Where a design has a flaw, its behaviour is kept and the flaw is not; each module says where.

use std::sync::Arc;

use throughline_conversation::View;

use crate::strategies::{DropExchanges, RollingSummary, ToolClearing};
use crate::{Job, Strategy, Summarizer};

mod dex;
mod prose;
mod results;
mod rubichan;
mod slop;
mod summary_text;
mod vibe;

#[cfg(test)]
mod laws;

pub(crate) use summary_text::ends_with_a_request;

pub use dex::{Dex, with_compacted_history};
pub use rubichan::{Rubichan, Signals};
pub use slop::Slop;
pub use vibe::Vibe;

/// A chain of strategies and the numbers that are its own.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Preset {
    /// Clears old results, then one rolling summary, deep and seldom.
    #[default]
    Throughline,
    /// Removes tool responses level by level, from the middle outwards; then keeps the last messages and summarizes
    /// the rest.
    Dex(Dex),
    /// One summary of everything, with the user's last request behind it.
    Vibe(Vibe),
    /// Clears the older half of the results, then summarizes, then drops the oldest exchanges.
    Rubichan(Rubichan),
    /// Cuts results to sizes by age: generous in the group at work, short in older ones.
    Slop(Slop),
}

impl Preset {
    /// Its name, as it is typed.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Throughline => "throughline",
            Self::Dex(_) => "dex",
            Self::Vibe(_) => "vibe",
            Self::Rubichan(_) => "rubichan",
            Self::Slop(_) => "slop",
        }
    }

    /// How many of the newest groups the design shows; `None`: all. Hiding the others is no compaction: it is a mark in
    /// the log, which the caller makes.
    #[must_use]
    pub fn groups(&self) -> Option<u32> {
        match self {
            Self::Slop(slop) => Some(slop.groups).filter(|groups| *groups > 0),
            _ => None,
        }
    }

    /// The strategies, in order. All end with the one that drops exchanges: what must fit does fit.
    pub(crate) fn chain(&self, summarizer: Option<Arc<dyn Summarizer>>) -> Vec<Arc<dyn Strategy>> {
        let mut chain: Vec<Arc<dyn Strategy>> = match self {
            Self::Throughline => vec![Arc::new(ToolClearing), Arc::new(RollingSummary::new(summarizer))],
            Self::Dex(dex) => dex.chain(summarizer),
            Self::Vibe(vibe) => vibe.chain(summarizer),
            Self::Rubichan(rubichan) => rubichan.chain(summarizer),
            Self::Slop(slop) => slop.chain(),
        };
        chain.push(Arc::new(DropExchanges));
        chain
    }

    /// Tokens of the view that a compaction is to come down to; `None`: the policy's own target.
    pub(crate) fn target(&self, job: &Job<'_>) -> Option<u64> {
        match self {
            Self::Throughline => None,
            Self::Dex(dex) => Some(dex.target(job)),
            Self::Rubichan(rubichan) => Some(rubichan.target(job)),
            // These do all that they do, whatever the size.
            Self::Vibe(_) | Self::Slop(_) => Some(0),
        }
    }

    /// Whether there are cuts to make that do not wait for a full window.
    pub(crate) fn batch_due(&self, view: &View, fresh: bool) -> bool {
        match self {
            Self::Slop(slop) => slop.batch_due(view, fresh),
            _ => false,
        }
    }
}
