//! Changing what the session shows.

use std::sync::Arc;

use throughline_compaction::NameLog;
use throughline_continuity::LogError;
use throughline_conversation::{
    Edit, Message, MessageRecord, Record, RecordBody, Seq, Source, TokenCounter, View,
};

use super::Session;

impl Session {
    /// Takes over records that a change was decided with. They are not shown yet.
    pub(crate) fn adopt(&mut self, records: Vec<Record>) {
        self.journal.adopt(records);
    }

    /// Drops the records after this place, which could not be written and were not shown.
    pub(crate) fn retract(&mut self, last: Seq) {
        self.journal.retract(last);
    }

    /// Writes pending records.
    pub(crate) async fn write(&mut self) -> Result<(), LogError> {
        self.journal.flush().await.map(drop)
    }

    /// The record of a message of the engine that would come next.
    pub(crate) fn next_message(&self, message: Message) -> Record {
        let body = RecordBody::Message(MessageRecord { message, source: Source::Engine, usage: None });
        Record { seq: self.last().next(), at: self.now(), exchange: self.exchange, body }
    }

    /// Shows another view, projected from the log up to `last`.
    pub(crate) fn show(&mut self, last: Seq, view: View) {
        self.journal.continue_after(last);
        self.view = view;
        self.forget_view();
    }

    /// Forgets what was derived from a view that is not shown any more: its names must not get into a summary.
    pub(crate) fn forget_view(&mut self) {
        self.names = NameLog::default();
        self.restore_standing();
        self.followed = None;
        self.count_documents();
    }

    /// Records a compaction and shows its view.
    pub(crate) fn show_compacted(&mut self, edit: Edit, view: View) {
        self.standing.note(self.view.entries());
        let before = self.view.transcript().clone();
        let record = self.record(RecordBody::Edit(edit));
        self.view = view.at(record.seq);
        self.note_compaction(record.seq, &before);
        self.count_documents();
        self.compactions += 1;
        self.progress.compacted = true;
    }

    /// Counts the view and the documents by another counter.
    pub(crate) fn recount_by(&mut self, counter: Arc<dyn TokenCounter>) {
        self.view = self.view.recounted(counter.as_ref());
        self.counter = counter;
        self.count_documents();
    }
}
