//! Writing the log: numbers records, and keeps them in memory while the log cannot be written.

use std::sync::Arc;

use throughline_continuity::{LogError, MessageLog};
use throughline_conversation::{ExchangeId, Record, RecordBody, Seq, SessionId};

use crate::clock::Clock;

/// Numbers records and writes them in batches, each of them atomically.
#[derive(Debug)]
pub(crate) struct Journal {
    log: Arc<dyn MessageLog>,
    session: SessionId,
    clock: Arc<dyn Clock>,
    last: Seq,
    pending: Vec<Record>,
}

impl Journal {
    pub(crate) fn new(
        log: Arc<dyn MessageLog>,
        session: SessionId,
        clock: Arc<dyn Clock>,
        last: Seq,
    ) -> Self {
        Self { log, session, clock, last, pending: Vec::new() }
    }

    /// Numbers a record. It is durable after the next [`Journal::flush`] that succeeds.
    pub(crate) fn add(&mut self, exchange: ExchangeId, body: RecordBody) -> Record {
        self.last = self.last.next();
        let record = Record { seq: self.last, at: self.clock.now(), exchange, body };
        self.pending.push(record.clone());
        record
    }

    /// Writes the pending records in one transaction. After a failure they stay pending: nothing is lost while the
    /// process lives.
    pub(crate) async fn flush(&mut self) -> Result<Option<Seq>, LogError> {
        if self.pending.is_empty() {
            return Ok(None);
        }
        self.log.append(&self.session, &self.pending).await?;
        self.pending.clear();
        Ok(Some(self.last))
    }

    /// Takes numbered records over. They are durable after the next [`Journal::flush`] that succeeds.
    pub(crate) fn adopt(&mut self, records: Vec<Record>) {
        self.last = records.last().map_or(self.last, |record| record.seq);
        self.pending.extend(records);
    }

    /// Drops the records after this place, which could not be written.
    pub(crate) fn retract(&mut self, last: Seq) {
        self.pending.retain(|record| record.seq <= last);
        self.last = last;
    }

    /// Continues after records that were appended elsewhere.
    pub(crate) fn continue_after(&mut self, last: Seq) {
        self.last = last;
    }

    /// Place of the newest record.
    pub(crate) fn last(&self) -> Seq {
        self.last
    }

    pub(crate) fn log(&self) -> Arc<dyn MessageLog> {
        Arc::clone(&self.log)
    }

    /// Number of records that are not written yet.
    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }
}
