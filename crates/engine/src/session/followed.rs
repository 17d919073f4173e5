//! The compactions of a session: what they removed, and what they have saved.

use std::collections::HashSet;

use throughline_compaction::CompactionBalances;
use throughline_conversation::Message;
use throughline_ledger::RegretTracker;

/// The compactions of a session, followed.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    pub(crate) tracker: RegretTracker,
    pub(crate) balances: CompactionBalances,
    /// Ids of calls that may come back into view.
    pub(crate) calls: HashSet<String>,
}

impl Followed {
    /// Takes the ids of the calls in a message.
    pub(crate) fn note_calls(&mut self, message: &Message) {
        self.calls.extend(message.tool_calls().map(|call| call.id.clone()));
    }
}
