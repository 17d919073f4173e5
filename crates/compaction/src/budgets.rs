//! How large each part of a summary may be.

use crate::CompactionPolicy;
use crate::policy::fraction_of;

/// Tokens for each part of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Budgets {
    /// The user's own words.
    pub(crate) words: u64,
    /// Prose about the progress.
    pub(crate) progress: u64,
    /// Files, commands and errors.
    pub(crate) ledger: u64,
    /// The index of names, at four bytes a token.
    pub(crate) names: u64,
}

impl Budgets {
    /// The policy's figures, or a part of the room when the room is small: together about a third of it.
    pub(crate) fn of(policy: &CompactionPolicy, room: u64) -> Self {
        Self {
            words: policy.user_words_tokens.min(fraction_of(room, 0.15)),
            progress: policy.progress_tokens.min(fraction_of(room, 0.05)),
            ledger: policy.ledger_tokens.min(fraction_of(room, 0.05)),
            names: policy.names_tokens.min(fraction_of(room, 0.10)),
        }
    }

    /// The part `share` of `whole` of every figure.
    pub(crate) fn part(self, share: u64, whole: u64) -> Self {
        let part = |tokens: u64| tokens.saturating_mul(share) / whole.max(1);
        Self {
            words: part(self.words),
            progress: part(self.progress),
            ledger: part(self.ledger),
            names: part(self.names),
        }
    }

    /// All but the user's words.
    pub(crate) fn notes(self) -> u64 {
        self.progress.saturating_add(self.ledger).saturating_add(self.names)
    }
}
