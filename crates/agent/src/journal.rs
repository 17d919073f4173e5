//! Writing the log: records get their places here, and wait here when the disk does not take them.

use std::sync::Arc;

use throughline_continuity::{LogError, MessageLog};
use throughline_conversation::{ExchangeId, Record, RecordBody, Seq, SessionId};

use crate::Clock;

/// Numbers records and writes them in batches, each batch whole or not at all.
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

    /// Gives a record its place. It is durable after the next [`Journal::flush`] that succeeds.
    pub(crate) fn add(&mut self, exchange: ExchangeId, body: RecordBody) -> Record {
        self.last = self.last.next();
        let record = Record { seq: self.last, at: self.clock.now(), exchange, body };
        self.pending.push(record.clone());
        record
    }

    /// Writes what waits, in one transaction. On failure it goes on waiting, and nothing is lost while the
    /// process lives.
    pub(crate) async fn flush(&mut self) -> Result<Option<Seq>, LogError> {
        if self.pending.is_empty() {
            return Ok(None);
        }
        self.log.append(&self.session, &self.pending).await?;
        self.pending.clear();
        Ok(Some(self.last))
    }

    /// Goes on behind records that were appended elsewhere.
    pub(crate) fn continue_after(&mut self, last: Seq) {
        self.last = last;
    }

    pub(crate) fn log(&self) -> Arc<dyn MessageLog> {
        Arc::clone(&self.log)
    }

    pub(crate) fn waiting(&self) -> usize {
        self.pending.len()
    }
}
