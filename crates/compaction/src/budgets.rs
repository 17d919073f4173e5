//! How large each part of a summary may be.

use throughline_conversation::TokenCounter;
use throughline_ledger::{CHECKLIST, COMMANDS, ERRORS, FILES, section};

use crate::history::progress_of;
use crate::values::{GIVEN, VALUES};

/// Tokens for each part of a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Budgets {
    /// The user's own words.
    pub(crate) words: u64,
    /// Prose about the progress.
    pub(crate) progress: u64,
    /// Files, commands and errors.
    pub(crate) ledger: u64,
    /// The values of short results and the index of names, at four bytes a token.
    pub(crate) names: u64,
    /// Values that the user gave, besides what they take of the room for the user's words.
    pub(crate) given: u64,
}

impl Budgets {
    /// The part `share` of `whole` of every figure.
    pub(crate) fn part(self, share: u64, whole: u64) -> Self {
        let part = |tokens: u64| tokens.saturating_mul(share) / whole.max(1);
        Self {
            words: part(self.words),
            progress: part(self.progress),
            ledger: part(self.ledger),
            names: part(self.names),
            given: part(self.given),
        }
    }

    /// The tokens that the parts of an earlier summary take now, without the user's words.
    pub(crate) fn held_by(summary: &str, counter: &dyn TokenCounter) -> Self {
        let tokens = |name| section(summary, name).map_or(0, |text| counter.text(text));
        // A ledger gives each of its lists a part of its tokens only: half of them to files, three tenths to commands,
        // a fifth to errors, a quarter to a checklist. It must be so large that no part is smaller than its list.
        let lists = [
            tokens(FILES).saturating_mul(2),
            tokens(COMMANDS).saturating_mul(10).div_ceil(3),
            tokens(ERRORS).saturating_mul(5),
            tokens(CHECKLIST).saturating_mul(4),
        ];
        let bytes = |name| section(summary, name).map_or(0, str::len);
        let names = (bytes("Names") + bytes(VALUES)).div_ceil(4);
        Self {
            words: 0,
            progress: progress_of(summary).map_or(0, |text| counter.text(text)),
            ledger: lists.into_iter().max().unwrap_or_default(),
            names: u64::try_from(names).unwrap_or(u64::MAX),
            given: tokens(GIVEN),
        }
    }

    /// Both together.
    pub(crate) fn plus(self, other: Self) -> Self {
        self.with(other, u64::saturating_add)
    }

    /// The first without the second.
    pub(crate) fn less(self, other: Self) -> Self {
        self.with(other, u64::saturating_sub)
    }

    /// The smaller of each figure.
    pub(crate) fn at_most(self, other: Self) -> Self {
        self.with(other, u64::min)
    }

    /// The larger of each figure.
    pub(crate) fn at_least(self, other: Self) -> Self {
        self.with(other, u64::max)
    }

    fn with(self, other: Self, of: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            words: of(self.words, other.words),
            progress: of(self.progress, other.progress),
            ledger: of(self.ledger, other.ledger),
            names: of(self.names, other.names),
            given: of(self.given, other.given),
        }
    }

    /// All but the user's words.
    pub(crate) fn notes(self) -> u64 {
        self.progress.saturating_add(self.ledger).saturating_add(self.names).saturating_add(self.given)
    }
}

#[cfg(test)]
mod tests;
