//! How much of the recent work stays in view for how long: the dial of the policy `throughline`.
//!
//! The figures were tuned on recorded sessions with the clock of the prompt cache and a price for everything that was needed
//! again.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use throughline_compaction::{PricePolicy, StepKind, UnchangedReads};
use throughline_resultstore::OffloadPolicy;

/// What a compaction by price weighs more: the price, or the fidelity of what the model sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Economy {
    /// Compacts as soon as it pays.
    Lean,
    /// In between.
    Balanced,
    /// Keeps the work in view longest.
    #[default]
    Faithful,
}

/// A window of this many tokens compacts often because it is full. In larger ones nothing but the price limits what old
/// content costs.
const FULL_OFTEN: f64 = 64_000.0;
/// Tokens that a compaction by price has to leave out at least.
const SMALLEST_GAIN: u64 = 2_000;

/// Previews of larger windows are no longer: 5,000 bytes of the start and 3,000 of the end of what has more than 12,000.
pub(crate) const LARGEST_PREVIEWED: u64 = 64_000;

/// Tokens of the window for each byte of names that a preview lists: about 4 % of the window.
const TOKENS_PER_NAME_BYTE: u64 = 8;

/// Mean number of later steps whose edits quote lines that a compaction after such a step loses.
const NEEDED_LATER: [(StepKind, f64); 12] = [
    (StepKind::User, 0.48),
    (StepKind::Steer, 2.0),
    (StepKind::Commit, 0.5),
    (StepKind::TestOk, 0.45),
    (StepKind::Git, 0.42),
    (StepKind::Subagent, 0.4),
    (StepKind::Other, 0.57),
    (StepKind::TestFailed, 0.9),
    (StepKind::Read, 1.6),
    (StepKind::Search, 1.7),
    (StepKind::Edit, 2.5),
    (StepKind::Plan, 2.7),
];

impl Economy {
    /// All settings of the dial.
    pub const ALL: [Self; 3] = [Self::Lean, Self::Balanced, Self::Faithful];

    /// The name in settings files and on command lines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lean => "lean",
            Self::Balanced => "balanced",
            Self::Faithful => "faithful",
        }
    }

    /// One line for a help text.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::Lean => "Compacts as soon as it pays",
            Self::Balanced => "Keeps the recent work in view longer",
            Self::Faithful => "Keeps it in view longest",
        }
    }

    /// The next setting that keeps more in view; `None` after [`Economy::Faithful`].
    #[must_use]
    pub fn towards_faithful(self) -> Option<Self> {
        Self::ALL.into_iter().find(|other| *other > self)
    }

    /// Bytes up to which the text of a file enters the window whole, where that is more than for other results.
    pub(crate) fn whole_reads(self, window: u64) -> usize {
        match self {
            Self::Lean => 0,
            Self::Balanced | Self::Faithful => {
                usize::try_from(window.saturating_mul(3) / 10).unwrap_or(usize::MAX)
            }
        }
    }

    /// The previews of large results in a window of this many tokens.
    ///
    /// A name costs less than the line that it is in, and what later calls name is as often in the middle as at the ends: a
    /// preview lists many names, and in a small window fewer, because each result there takes a larger share.
    pub(crate) fn previews(self, window: u64) -> OffloadPolicy {
        // In parts of forty.
        let (threshold, ends) = match self {
            Self::Lean => (15, 12),
            Self::Balanced | Self::Faithful => (40, 40),
        };
        let window = window.min(LARGEST_PREVIEWED);
        let sizes = OffloadPolicy::for_window(window);
        OffloadPolicy {
            threshold_bytes: sizes.threshold_bytes * threshold / 40,
            head_bytes: sizes.head_bytes * ends / 40,
            tail_bytes: sizes.tail_bytes * ends / 40,
            name_bytes: usize::try_from(window / TOKENS_PER_NAME_BYTE).unwrap_or(usize::MAX),
            ..sizes
        }
    }

    /// Tokens of the steps before the newest one that a compaction leaves. What led to the newest step says more about the next one than
    /// a summary of any size, and most steps are short: these few tokens are two or three of them. More would cost in every request
    /// until the next compaction, and tell hardly more.
    pub(crate) fn recent_tokens(self) -> u64 {
        match self {
            Self::Lean => 300,
            Self::Balanced | Self::Faithful => 600,
        }
    }

    /// Tokens of the user's own words in a summary. Exact values that a question asks for are mostly there, and each token
    /// costs in every request.
    pub(crate) fn words_tokens(self, window: u64) -> u64 {
        match self {
            Self::Lean => 1_000,
            Self::Balanced => 3_000,
            Self::Faithful => (window / 12).clamp(4_000, 6_000),
        }
    }

    /// Tokens of the values that the user gave with their keys, besides two thirds of the room for words. Only a session with
    /// long lists of values uses them.
    pub(crate) fn given_tokens(self, window: u64) -> u64 {
        match self {
            Self::Lean => 1_000,
            Self::Balanced => 2_500,
            Self::Faithful => (window / 30).clamp(2_500, 4_500),
        }
    }

    /// Tokens of the index of names. A name that is not in it costs a search; each token costs in every request. Shorter previews show
    /// fewer names.
    pub(crate) fn names_tokens(self) -> u64 {
        match self {
            Self::Lean => 2_500,
            Self::Balanced | Self::Faithful => 2_400,
        }
    }

    /// Tokens that the first compaction has to leave out at least. Behind an expired prompt cache every compaction is cheap, also one
    /// of a session that has hardly begun and would lose all of its work for room that nothing needs.
    fn smallest_first_gain(self, window: u64) -> u64 {
        match self {
            Self::Lean | Self::Balanced => SMALLEST_GAIN,
            Self::Faithful => SMALLEST_GAIN.max(window / 12),
        }
    }

    /// The numbers of decisions by price in a window of this many tokens.
    ///
    /// Patience buys edits that still see their lines. What it costs grows with the window, what it buys does not: from
    /// twice the small window on, half of it. A larger window has room for a longer piece of work, so a compaction that is paid for
    /// waits longer for its end there.
    pub(crate) fn pricing(self, window: u64) -> PricePolicy {
        let waits = |tokens: u64, least: f64, most: f64| (window as f64 / tokens as f64).clamp(least, most);
        let share = (FULL_OFTEN / window.max(1) as f64).clamp(0.5, 1.0);
        let (patience, cold_regret, overdue, unchanged) = match self {
            // Half of the price: waiting until all of it is paid costs as much again.
            Self::Lean => (0.5, 1.0, 4.5, 5.0),
            Self::Balanced => (1.1 * share, 1.0, waits(10_000, 10.0, 20.0), 20.0),
            Self::Faithful => (2.5 * share, 4.0, waits(6_250, 16.0, 50.0), 20.0),
        };
        PricePolicy {
            patience,
            overdue,
            cold_regret,
            needed_later: BTreeMap::from(NEEDED_LATER),
            unchanged_reads: UnchangedReads { least: 8, within: 50, needed_later: unchanged },
            done_after: vec![
                StepKind::User,
                StepKind::Commit,
                StepKind::TestOk,
                StepKind::Git,
                StepKind::Subagent,
            ],
            smallest_gain: SMALLEST_GAIN,
            smallest_first_gain: self.smallest_first_gain(window),
            growth: 8_000,
            first_residue: 5_000.0,
            learning: 0.5,
        }
    }
}

impl fmt::Display for Economy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is not on the dial.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown economy {0:?}; it is {names}", names = Economy::ALL.map(Economy::name).join(", "))]
pub struct UnknownEconomy(pub String);

impl FromStr for Economy {
    type Err = UnknownEconomy;

    fn from_str(name: &str) -> Result<Self, UnknownEconomy> {
        let found = Self::ALL.into_iter().find(|economy| economy.name() == name);
        found.ok_or_else(|| UnknownEconomy(name.to_owned()))
    }
}

#[cfg(test)]
mod tests;
