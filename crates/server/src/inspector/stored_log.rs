//! The log of a stored session, and what of it is lost.

use std::ops::Deref;

use schemars::JsonSchema;
use serde::Serialize;
use throughline_continuity::Unreadable;
use throughline_conversation::{Record, Seq};
use throughline_stored::{Result, SessionHandle, SessionLog};

/// A log that was read whole.
#[derive(Debug, Clone)]
pub(crate) struct StoredLog {
    log: SessionLog,
    /// The records that cannot be read or do not fit the others, in order.
    pub(crate) lost: Vec<Unreadable>,
}

impl Deref for StoredLog {
    type Target = SessionLog;

    fn deref(&self) -> &SessionLog {
        &self.log
    }
}

/// Records of a session that are lost.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct LostRecords {
    first: u64,
    last: u64,
    /// What is wrong with them.
    why: String,
}

impl StoredLog {
    /// Reads the log of a session.
    ///
    /// # Errors
    /// It cannot be read at all.
    pub(crate) async fn read(handle: &SessionHandle) -> Result<Self> {
        let (log, lost) = handle.log_and_lost().await?;
        Ok(Self { log, lost })
    }

    /// The record at a place in the log; else what is lost there, if something is.
    pub(crate) fn record(&self, seq: Seq) -> std::result::Result<&Record, Option<&Unreadable>> {
        let place = self.records.partition_point(|record| record.seq < seq);
        let found = self.records.get(place).filter(|record| record.seq == seq);
        found.ok_or_else(|| self.lost.iter().find(|one| one.span.first <= seq && seq <= one.span.last))
    }

    /// What is lost, for the API.
    pub(crate) fn lost_objects(&self) -> Vec<LostRecords> {
        let object = |one: &Unreadable| LostRecords {
            first: one.span.first.0,
            last: one.span.last.0,
            why: one.why.clone(),
        };
        self.lost.iter().map(object).collect()
    }
}
