//! The checkpoints of a stored session.

use throughline_continuity::{CheckpointJson, checkpoint_json};
use throughline_conversation::{CheckpointRecord, Record, RecordBody, project};

use crate::error::{Attempt as _, Error, Result};
use crate::handle::{SessionHandle, SessionLog};

/// A checkpoint in a session's log.
#[derive(Debug, Clone, Copy)]
pub struct StoredCheckpoint<'l> {
    /// Its number in the session, from 1.
    pub number: u64,
    /// The record that holds it.
    pub record: &'l Record,
    /// Its figures.
    pub checkpoint: &'l CheckpointRecord,
}

impl SessionLog {
    /// The checkpoints, oldest first.
    #[must_use]
    pub fn checkpoints(&self) -> Vec<StoredCheckpoint<'_>> {
        let all = self.records.iter().filter_map(|record| match &record.body {
            RecordBody::Checkpoint(checkpoint) => Some((record, checkpoint.as_ref())),
            _ => None,
        });
        (1..)
            .zip(all)
            .map(|(number, (record, checkpoint))| StoredCheckpoint { number, record, checkpoint })
            .collect()
    }
}

impl SessionHandle {
    /// A checkpoint by its number; `None`: the newest one.
    ///
    /// # Errors
    /// The session has no checkpoint, or none of this number.
    pub fn checkpoint<'l>(&self, log: &'l SessionLog, number: Option<u64>) -> Result<StoredCheckpoint<'l>> {
        let all = log.checkpoints();
        let count = all.len();
        let found = match number {
            Some(number) => all.into_iter().find(|one| one.number == number),
            None => all.into_iter().next_back(),
        };
        found.ok_or_else(|| match (count, number) {
            (1.., Some(number)) => Error::usage(format!(
                "there is no checkpoint {number}; the session has checkpoints 1 to {count}"
            )),
            _ => Error::missing(format!("session {} has no checkpoint yet", self.session)),
        })
    }

    /// A checkpoint as one object, with the messages in view at that time.
    ///
    /// # Errors
    /// The log is damaged.
    pub fn checkpoint_json(&self, log: &SessionLog, stored: StoredCheckpoint<'_>) -> Result<CheckpointJson> {
        let before = log.records.iter().take_while(|one| one.seq <= stored.checkpoint.messages);
        let view = project(before, self.counter.as_ref())
            .attempt(|| format!("the log of session {} is damaged", self.session))?;
        Ok(checkpoint_json(stored.checkpoint, &view, view.documents()))
    }
}
