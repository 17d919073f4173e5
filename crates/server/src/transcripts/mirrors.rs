//! The transcripts of other agents that are stored as sessions. They are read as those in files are.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use throughline_audit::CountedAnswers;
use throughline_connect::{ConnectError, model_table};
use throughline_continuity::SessionSummary;
use throughline_conversation::SessionId;
use throughline_stored::{Error, Result, SessionHandle, Storage};
use throughline_text::error_chain;
use throughline_watch::{format_of, stored_recording};

use super::figures::TranscriptFigures;
use super::read::{TranscriptPart, part};
use crate::inspector::StoredLog;

/// Maximum number of transcripts in memory.
const MAX_PARTS: usize = 4;

/// What was read of stored transcripts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mirrors {
    memory: Arc<Mutex<MirrorMemory>>,
}

#[derive(Debug, Default)]
struct MirrorMemory {
    /// The one that was asked for last is at the end.
    parts: Vec<KnownPart>,
    figures: HashMap<SessionId, KnownFigures>,
    /// Whether figures are being read in the background.
    is_reading: bool,
}

/// What the log of a session is as a transcript.
#[derive(Debug)]
struct KnownPart {
    session: SessionId,
    log: Arc<StoredLog>,
    part: Option<Arc<TranscriptPart>>,
}

/// The figures of a session up to a record.
#[derive(Debug, Clone)]
struct KnownFigures {
    upto: u64,
    /// `None`: the session is no transcript of another agent.
    figures: Option<TranscriptFigures>,
}

impl Mirrors {
    /// The transcript that a session was stored from. `None`: it was stored from none, has worked here since, or its requests are not
    /// in the log.
    ///
    /// # Errors
    /// A stored result or the table of models cannot be read.
    pub(crate) async fn part(
        &self,
        handle: &SessionHandle,
        log: &Arc<StoredLog>,
    ) -> Result<Option<Arc<TranscriptPart>>> {
        let Some(format) = format_of(handle.session.as_str()) else { return Ok(None) };
        if let Some(known) = self.known(&handle.session, log) {
            return Ok(known);
        }
        let made = match stored_recording(handle, &log.records).await? {
            None => None,
            Some(recorded) => {
                let table = model_table().map_err(ConnectError::from)?;
                let made = tokio::task::spawn_blocking(move || {
                    part(&recorded, Vec::new(), &table, &mut CountedAnswers::default())
                });
                Some(Arc::new(made.await.map_err(|error| Error::Other(error.into()))?))
            }
        };
        let figures = made.as_ref().map(|part| TranscriptFigures::of_part(format.name(), part));
        self.remember(&handle.session, log, made.clone(), figures);
        Ok(made)
    }

    /// What the list says of a session. `None`: that is not read yet, or it is no transcript of another agent.
    pub(crate) fn figures(&self, session: &SessionSummary) -> Option<TranscriptFigures> {
        let found = self.locked().figures.get(&session.info.id)?.figures.clone();
        found.filter(|_| may_be(session))
    }

    /// Returns true if the figures of a session are still to be read.
    pub(crate) fn is_unread(&self, session: &SessionSummary) -> bool {
        let known = self.locked().figures.get(&session.info.id).map(|known| known.upto);
        may_be(session) && known.is_none_or(|upto| upto < session.records)
    }

    /// Reads the figures of sessions in the background, in their order, unless that is being done.
    pub(crate) fn read_behind<'s>(
        &self,
        storage: &Storage,
        sessions: impl Iterator<Item = &'s SessionSummary>,
    ) {
        let unread = sessions.filter(|session| self.is_unread(session));
        let unread: Vec<SessionId> = unread.map(|session| session.info.id.clone()).collect();
        if unread.is_empty() || std::mem::replace(&mut self.locked().is_reading, true) {
            return;
        }
        let (own, storage) = (self.clone(), storage.clone());
        tokio::spawn(async move {
            for session in unread {
                let handle = SessionHandle::new(storage.clone(), session);
                if let Err(error) = own.read(&handle).await {
                    tracing::warn!(session = %handle.session, error = error_chain(&error), "a transcript cannot be read");
                    own.note(&handle.session, u64::MAX, None);
                }
            }
            own.locked().is_reading = false;
        });
    }

    async fn read(&self, handle: &SessionHandle) -> Result<()> {
        let log = Arc::new(StoredLog::read(handle).await?);
        self.part(handle, &log).await.map(|_| ())
    }

    /// Forgets a session whose records were overwritten or removed.
    pub(crate) fn forget(&self, session: &SessionId) {
        let mut memory = self.locked();
        memory.parts.retain(|known| known.session != *session);
        memory.figures.remove(session);
    }

    fn known(&self, session: &SessionId, log: &Arc<StoredLog>) -> Option<Option<Arc<TranscriptPart>>> {
        let memory = self.locked();
        let is = |known: &&KnownPart| known.session == *session && Arc::ptr_eq(&known.log, log);
        memory.parts.iter().find(is).map(|known| known.part.clone())
    }

    fn remember(
        &self,
        session: &SessionId,
        log: &Arc<StoredLog>,
        part: Option<Arc<TranscriptPart>>,
        figures: Option<TranscriptFigures>,
    ) {
        self.note(session, log.last.0, figures);
        let mut memory = self.locked();
        memory.parts.retain(|known| known.session != *session);
        if memory.parts.len() >= MAX_PARTS {
            memory.parts.remove(0);
        }
        memory.parts.push(KnownPart { session: session.clone(), log: Arc::clone(log), part });
    }

    fn note(&self, session: &SessionId, upto: u64, figures: Option<TranscriptFigures>) {
        self.locked().figures.insert(session.clone(), KnownFigures { upto, figures });
    }

    fn locked(&self) -> MutexGuard<'_, MirrorMemory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns true if a session may be a transcript of another agent: none of its requests was sent here.
fn may_be(session: &SessionSummary) -> bool {
    session.requests == 0 && session.exchanges > 0 && format_of(session.info.id.as_str()).is_some()
}
