//! Why a compaction changed nothing.

use throughline_compaction::CompactionError;
use throughline_resultstore::StoreError;

/// Why a compaction changed nothing.
#[derive(Debug, thiserror::Error)]
pub enum CompactError {
    /// No strategy gained enough.
    #[error(transparent)]
    Compaction(#[from] CompactionError),
    /// What would have been cut could not be stored, so it stays in view.
    #[error("not compacted, because what would be cut could not be stored")]
    Store(#[from] StoreError),
    /// The session has changed since the compaction was shown.
    #[error("the session has changed since the compaction was shown; preview it again")]
    Outdated,
    /// The user stopped it.
    #[error("not compacted, because it was stopped")]
    Stopped,
    /// A hook declined it.
    #[error("not compacted, because a hook declined it: {0}")]
    Declined(String),
    /// The caller of the engine is asked for the summary first.
    #[error("not compacted yet: the caller is asked for the summary")]
    SummaryWanted,
}

impl CompactError {
    /// One word for programs. It never holds anything of the session.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Compaction(CompactionError::NothingToGain { .. }) => "nothing_to_gain",
            Self::Compaction(CompactionError::BreakerOpen { .. }) => "paused",
            Self::Compaction(CompactionError::DoesNotFit { .. }) => "does_not_fit",
            Self::Compaction(_) => "failed",
            Self::Store(_) => "not_stored",
            Self::Outdated => "outdated",
            Self::Stopped => "stopped",
            Self::Declined(_) => "declined",
            Self::SummaryWanted => "summary_wanted",
        }
    }

    /// Returns true for real failures. Finding nothing to gain, an open breaker and a user's stop are not failures.
    pub(crate) fn is_failure(&self) -> bool {
        !matches!(
            self,
            Self::Compaction(CompactionError::NothingToGain { .. } | CompactionError::BreakerOpen { .. })
                | Self::Outdated
                | Self::Stopped
                | Self::Declined(_)
                | Self::SummaryWanted
        )
    }
}
