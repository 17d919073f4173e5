//! The compactions of a session: what they removed, and what they have saved.

use throughline_compaction::CompactionBalances;
use throughline_ledger::RegretTracker;

/// The compactions of a session, followed.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    pub(crate) tracker: RegretTracker,
    pub(crate) balances: CompactionBalances,
}
