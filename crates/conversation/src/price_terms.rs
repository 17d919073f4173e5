//! The terms of a decision about a compaction by price.

use serde::{Deserialize, Serialize};

/// What the price of a compaction calls for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriceVerdict {
    /// There is too little to leave out.
    Lean,
    /// It is not paid for yet: what was spent on old content since the last compaction is less than its share of the price.
    NotPaid,
    /// It is paid for, and waits until the model has finished a piece of work.
    Waits,
    /// It is paid for, and this is the time for it.
    Compacts,
    /// It has waited so long that it is done in the middle of a piece of work.
    Overdue,
}

impl PriceVerdict {
    /// Returns true if the view is compacted before the request.
    #[must_use]
    pub fn compacts(self) -> bool {
        matches!(self, Self::Compacts | Self::Overdue)
    }
}

/// The terms of one decision by price. Sizes are in tokens; prices in token-equivalents: multiples of the price of one uncached
/// token of input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PriceTerms {
    /// The decision.
    pub verdict: PriceVerdict,
    /// What the request follows, for example `an edit`.
    pub follows: String,
    /// How long the session was idle, in milliseconds; `None` if that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle_ms: Option<u64>,
    /// The prompt cache has expired.
    pub cold: bool,
    /// Size of the request without a compaction.
    pub request: u64,
    /// Size of the request that a compaction is expected to leave.
    pub left: u64,
    /// What the compaction costs more than this request without it; negative if it saves at once.
    pub cost: f64,
    /// What is expected to be fetched again afterwards.
    pub regret: f64,
    /// Files that were read lately and that nothing has changed since, if there are enough that work on them is expected.
    #[serde(default, skip_serializing_if = "is_no_file")]
    pub unchanged_files: u64,
    /// The part of `cost` for a summary that a model writes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub summary: f64,
    /// Whether a model is asked for the summary.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_model: bool,
    /// What each further request saves.
    pub saving: f64,
    /// What was paid for old content since the last compaction.
    pub paid: f64,
    /// Tokens that a compaction leaves next to the fixed front and the newest turn, learned from earlier ones.
    pub residue: f64,
}

fn is_no_file(files: &u64) -> bool {
    *files == 0
}

fn is_zero(price: &f64) -> bool {
    *price == 0.0
}
