//! The plan of a compaction for its strategies: the goal, and what to leave alone.

use throughline_conversation::{EditReason, Entry, EntryKind, Unit, UnitKind, View, units};

use crate::budgets::Budgets;
use crate::fraction::fraction_of;
use crate::goal::{CompactionJob, Goal};
use crate::policy::CompactionPolicy;
use crate::prose_summary::ends_with_a_request;

/// The target of one compaction, for all its strategies.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// The job.
    pub job: &'a CompactionJob<'a>,
    /// The policy.
    pub policy: &'a CompactionPolicy,
    /// Tokens to come down to, so far as the protected messages allow.
    pub aim: u64,
    /// Tokens above which even a last resort is tried.
    pub limit: u64,
}

impl<'a> Plan<'a> {
    /// The plan for a job.
    #[must_use]
    pub fn new(job: &'a CompactionJob<'a>, policy: &'a CompactionPolicy) -> Self {
        let limit = match job.goal {
            Goal::Deep | Goal::Requested => job.room,
            Goal::MustFit(allowed) => allowed,
        };
        let own = policy.chain.target(job);
        let target = own.unwrap_or_else(|| policy.target.of(job.room)).min(limit);
        let aim = if asked_for(&job.reason) { target.min(job.view.tokens() / 2) } else { target };
        Self { job, policy, aim, limit }
    }

    /// Tokens of the user's own words that a summary may quote.
    #[must_use]
    pub fn words_tokens(&self) -> u64 {
        self.budgets().words
    }

    /// How large the parts of a summary may be: the policy's figures, or a part of the room when the room is small,
    /// together about a third of it.
    pub(crate) fn budgets(&self) -> Budgets {
        let room = self.job.room.min(self.limit);
        Budgets {
            words: self.policy.user_words_tokens.min(fraction_of(room, 0.15)),
            progress: self.policy.progress_tokens.min(fraction_of(room, 0.05)),
            ledger: self.policy.ledger_tokens.min(fraction_of(room, 0.05)),
            names: self.policy.names_tokens.min(fraction_of(room, 0.10)),
            given: self.policy.given_tokens.min(fraction_of(room, 0.10)),
        }
    }

    /// Index of the first protected unit: it and all after it stay unchanged.
    #[must_use]
    pub fn first_protected(&self, view: &View, units: &[Unit]) -> usize {
        /// Above this part of the room fewer steps are protected, or nothing could be reclaimed at all.
        const ROOM_PART: u64 = 2;
        let most = match self.job.goal {
            Goal::Requested => self.aim.min(self.job.room / ROOM_PART),
            Goal::Deep | Goal::MustFit(_) => self.job.room / ROOM_PART,
        };
        let mut first = first_fixed(view, units);
        let (mut steps, mut tokens, mut newest) = (0, 0u64, 0);
        for (index, unit) in units.iter().enumerate().rev() {
            tokens = tokens.saturating_add(unit.tokens);
            if unit.kind != UnitKind::Step {
                continue;
            }
            steps += 1;
            if steps == 1 {
                newest = tokens;
            }
            let recent = steps > 1 && tokens - newest <= self.policy.recent_tokens;
            let protected = recent || steps <= self.policy.protect_steps;
            if !protected || (steps > 1 && tokens > most) {
                break;
            }
            first = first.min(index);
        }
        first
    }
}

/// Index of the first unit that not even a last resort may cover: a step whose results the model has not
/// seen, or whose calls wait for results. The number of units without such a step.
#[must_use]
pub fn first_fixed(view: &View, units: &[Unit]) -> usize {
    let unread = view.entries().last().is_some_and(|entry| entry.kind == EntryKind::Results);
    match units.len().checked_sub(1) {
        Some(last) if unread || !view.open_calls().is_empty() => last,
        _ => units.len(),
    }
}

/// Index of the unit with the user's last own words, in a message of their own or at the end of a summary: it stays
/// verbatim, whatever happens.
#[must_use]
pub fn last_request(units: &[Unit], entries: &[Entry]) -> Option<usize> {
    let has = |unit: &Unit| match unit.kind {
        UnitKind::User => true,
        UnitKind::Note => {
            entries.get(unit.entries.clone()).is_some_and(|own| own.iter().any(ends_with_a_request))
        }
        UnitKind::Step => false,
    };
    units.iter().rposition(has)
}

/// The entries before and behind the user's last own words. A summary covers the oldest of one of the two, or of each.
pub(crate) fn around_last_request(entries: &[Entry]) -> [&[Entry]; 2] {
    let units = units(entries);
    match last_request(&units, entries).and_then(|at| units.get(at)) {
        Some(Unit { entries: pinned, .. }) => {
            [0..pinned.start, pinned.end..entries.len()].map(|part| entries.get(part).unwrap_or_default())
        }
        None => [entries, &[]],
    }
}

/// Returns true if a command or a rejected request asked for this compaction: then it has to make the view clearly
/// smaller, however small that is already.
fn asked_for(reason: &EditReason) -> bool {
    matches!(reason, EditReason::Manual | EditReason::Overflow)
}

#[cfg(test)]
mod tests;
