//! What the rest of the engine reads of the session.

use std::sync::Arc;

use throughline_compaction::{Balance, NameLog, PriceState};
use throughline_continuity::{MessageLog, SnapshotStore};
use throughline_conversation::{
    DocumentName, EntryKind, ExchangeId, Millis, ModelUse, Origin, PriceTerms, Seq, SessionId, Source,
    TokenCounter, View,
};

use super::{EarlierRequest, Session};
use crate::ahead::Ahead;
use crate::pace::Pace;
use crate::progress::Progress;

impl Session {
    pub(crate) fn id(&self) -> &SessionId {
        &self.id
    }

    /// What the model sees of the log.
    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    /// Counts the view's tokens, and everything else that a request contains.
    pub(crate) fn counter(&self) -> &dyn TokenCounter {
        self.counter.as_ref()
    }

    /// The same, to be used outside of the session.
    pub(crate) fn shared_counter(&self) -> Arc<dyn TokenCounter> {
        Arc::clone(&self.counter)
    }

    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    pub(crate) fn log(&self) -> Arc<dyn MessageLog> {
        self.journal.log()
    }

    /// Number of records that are not written yet.
    pub(crate) fn unwritten(&self) -> usize {
        self.journal.pending()
    }

    pub(crate) fn snapshots(&self) -> &dyn SnapshotStore {
        self.snapshots.as_ref()
    }

    /// The group that records are written into.
    pub(crate) fn exchange(&self) -> ExchangeId {
        self.exchange
    }

    /// Number of the current turn, which is that of its group.
    pub(crate) fn turn(&self) -> u64 {
        self.exchange.0
    }

    /// Number of the newest request.
    pub(crate) fn requests(&self) -> u64 {
        self.request
    }

    /// Returns true if no request of the current turn was answered yet.
    pub(crate) fn is_fresh_turn(&self) -> bool {
        self.fresh_turn
    }

    /// Compactions in this run.
    pub(crate) fn compactions(&self) -> u64 {
        self.compactions
    }

    /// Tokens of the documents at the end of each request.
    pub(crate) fn documents_tokens(&self) -> u64 {
        self.documents_tokens
    }

    /// The last answered request of an earlier run.
    pub(crate) fn earlier(&self) -> Option<EarlierRequest> {
        self.earlier
    }

    /// What decisions by price remember; `None` before the first.
    pub(crate) fn price(&self) -> Option<PriceState> {
        self.price
    }

    /// How fast the model answers.
    pub(crate) fn pace(&self) -> &Pace {
        &self.pace
    }

    /// The summaries that are written ahead of compactions.
    pub(crate) fn ahead(&self) -> &Ahead {
        &self.ahead
    }

    pub(crate) fn ahead_mut(&mut self) -> &mut Ahead {
        &mut self.ahead
    }

    /// Notes how long an answer took.
    pub(crate) fn note_pace(&mut self, model: &Origin, ms: u64, output: u64) {
        self.pace.note(model, ms, output);
    }

    /// Notes what requests for a summary have used.
    pub(crate) fn note_summaries(&mut self, used: &[ModelUse]) {
        self.pace.note_summaries(used);
    }

    /// Returns true if the model has written down its progress since the last summary. Documents stay in view.
    pub(crate) fn has_progress_note(&self) -> bool {
        let summary = self.view.entries().iter().rev().find(|entry| entry.kind == EntryKind::Summary);
        let summary = summary.map_or(Seq(0), |entry| entry.span.last);
        let documents = self.view.documents();
        let notes = [DocumentName::State, DocumentName::Scratchpad].into_iter();
        notes
            .filter_map(|name| documents.get(name))
            .any(|note| note.seq > summary && matches!(note.by, Source::Model(_)))
    }

    /// Names for the summaries.
    pub(crate) fn names(&self) -> &NameLog {
        &self.names
    }

    /// What the compactions since the last move of the dial saved and cost; `None` if they are not followed.
    pub(crate) fn balance_since_dial(&self) -> Option<Balance> {
        self.followed.as_ref().map(|followed| followed.balances.since_dial())
    }

    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    pub(crate) fn progress_mut(&mut self) -> &mut Progress {
        &mut self.progress
    }

    /// Returns true if a compaction waits for the next receipt.
    pub(crate) fn was_compacted(&self) -> bool {
        self.pending.compaction.is_some()
    }

    /// The price decision that waits for the next receipt.
    pub(crate) fn pending_price(&self) -> Option<&PriceTerms> {
        self.pending.price.as_ref()
    }
}
