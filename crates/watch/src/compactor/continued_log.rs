//! The log of a view that is continued.

use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_continuity::{LogError, LogPage, MessageLog, Part};
use throughline_conversation::{Record, Seq, SessionId};

/// The records behind a snapshot, in memory. The snapshot has what the view needs of those before it.
#[derive(Debug)]
pub(super) struct ContinuedLog {
    covers: Seq,
    records: Mutex<Vec<Record>>,
}

impl ContinuedLog {
    /// A log behind the last record that a snapshot covers.
    pub(super) fn behind(covers: Seq) -> Self {
        Self { covers, records: Mutex::default() }
    }

    /// Records are only added, in one step.
    fn records(&self) -> MutexGuard<'_, Vec<Record>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl MessageLog for ContinuedLog {
    async fn append(&self, _: &SessionId, records: &[Record]) -> Result<(), LogError> {
        let mut all = self.records();
        for record in records {
            let expected = all.last().map_or(self.covers, |last| last.seq).next();
            if record.seq != expected {
                return Err(LogError::Conflict { expected, found: record.seq });
            }
            all.push(record.clone());
        }
        Ok(())
    }

    async fn read_page(&self, _: &SessionId, after: Seq, _: Part) -> Result<LogPage, LogError> {
        let behind = |record: &&Record| record.seq > after;
        Ok(LogPage::whole(self.records().iter().filter(behind).cloned().collect()))
    }

    async fn last(&self, _: &SessionId) -> Result<Seq, LogError> {
        Ok(self.records().last().map_or(self.covers, |last| last.seq))
    }

    async fn newest(&self, _: &SessionId, kind: &str) -> Result<Option<Record>, LogError> {
        Ok(self.records().iter().rfind(|record| record.body.kind() == kind).cloned())
    }

    async fn redact(&self, _: &SessionId, records: &[Record]) -> Result<(), LogError> {
        // A view in memory is written once and deletes nothing.
        let found = records.first().map_or(Seq(0), |record| record.seq);
        Err(LogError::Conflict { expected: self.covers.next(), found })
    }
}
