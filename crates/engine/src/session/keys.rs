//! Keys of operations: the one that runs, and those that were done.

use throughline_continuity::{ResumeError, Unreadable};
use throughline_conversation::{KeyOutcome, KeyRecord, Message, RecordBody, Seq};

use super::Session;
use crate::engine_error::EngineError;
use crate::outcomes::{Outcome, Outcomes};

/// The operation that runs, and its key.
#[derive(Debug)]
pub(crate) struct ArmedKey {
    key: String,
    operation: String,
    /// Fingerprint of what it was given.
    input: Option<u64>,
}

impl Session {
    /// Remembers the keys of earlier runs. Returns the records that may have been keys and are lost.
    ///
    /// # Errors
    /// [`ResumeError`] if the log cannot be read: without its keys, a repeated operation would be done twice.
    pub(crate) async fn remember_keys(&mut self) -> Result<Vec<Unreadable>, ResumeError> {
        let read = Outcomes::of_log(self.journal.log().as_ref(), &self.id).await;
        let (keys, lost) = read.map_err(|source| ResumeError::Log { session: self.id.clone(), source })?;
        self.keys = keys;
        Ok(lost)
    }

    /// The keys that are remembered.
    pub(crate) fn keys(&self) -> &Outcomes {
        &self.keys
    }

    /// Begins an operation with this key. Returns its outcome if it was done before; then nothing begins.
    ///
    /// # Errors
    /// [`EngineError::Key`] if the key was used for another operation, [`EngineError::KeyInput`] for another input.
    pub(crate) fn begin_keyed(
        &mut self,
        key: &str,
        operation: &str,
        input: Option<u64>,
    ) -> Result<Option<Outcome>, EngineError> {
        let known = self.keys.find(key, operation, input)?;
        let begun = || ArmedKey { key: key.to_owned(), operation: operation.to_owned(), input };
        self.armed = known.is_none().then(begun);
        Ok(known)
    }

    /// Ends an operation with a key, whether it was recorded or not.
    pub(crate) fn end_keyed(&mut self) {
        self.armed = None;
    }

    /// Records the key of the operation that runs, if it has one, behind what the operation has recorded. Nothing is written in
    /// between, so the next flush writes both. `message`: the model's message that the outcome is about.
    pub(crate) fn record_key(&mut self, message: Option<(Seq, &Message)>, outcome: KeyOutcome) {
        let Some(ArmedKey { key, operation, input }) = self.armed.take() else { return };
        let at = self.journal.last().next();
        let place = message.map(|(place, _)| place);
        let from = place.unwrap_or(at);
        let since = self.keys.since().unwrap_or(from);
        let keyed = KeyRecord { key, operation, input, message: place, outcome, since };
        self.keys.note(&keyed, message.map(|(_, message)| message), from);
        self.record(RecordBody::Keyed(keyed));
    }

    /// Place of the newest record.
    pub(crate) fn last(&self) -> Seq {
        self.journal.last()
    }
}
