//! What every handler works with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::extract::FromRef;
use axum::http::StatusCode;
use throughline_contexts::Contexts;
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::SessionId;
use throughline_stored::{Error, FolderScope, SessionHandle, Storage};
use tokio::sync::watch;

use crate::answer::Failure;
use crate::erasure::Erasure;
use crate::inspector::{LogCache, StoredLog};
use crate::metrics::Metrics;
use crate::transcripts::{Mirrors, TranscriptPart, Transcripts};
use crate::turns::Turns;

/// The storage, what is in memory of it, what runs, the figures, and the stop of the server.
#[derive(Debug, Clone)]
pub(crate) struct App {
    pub(crate) storage: Storage,
    pub(crate) logs: LogCache,
    pub(crate) transcripts: Transcripts,
    pub(crate) mirrors: Mirrors,
    pub(crate) turns: Turns,
    pub(crate) contexts: Contexts,
    pub(crate) erasure: Erasure,
    pub(crate) metrics: Metrics,
    /// Becomes true when the server is asked to stop: streams of events end then.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl App {
    /// What handlers work with, where nothing is in memory yet.
    pub(crate) fn new(
        storage: Storage,
        transcripts: Transcripts,
        turns: Turns,
        contexts: Contexts,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        Self {
            erasure: Erasure::new(storage.clone(), turns.clone()),
            storage,
            logs: LogCache::default(),
            transcripts,
            mirrors: Mirrors::default(),
            turns,
            contexts,
            metrics: Metrics::default(),
            stopping,
        }
    }

    /// A session as the library handles it.
    pub(crate) fn handle(&self, id: &SessionId) -> SessionHandle {
        SessionHandle::new(self.storage.clone(), id.clone())
    }

    /// The folder of a session, if this server may change files in it.
    pub(crate) async fn folder_of(&self, id: &SessionId) -> Result<PathBuf, Failure> {
        let info = self.storage.store.sessions().get(id).await.map_err(Error::from)?;
        let folder = info.map(|info| info.workspace).unwrap_or_default();
        // Whether the caller may see the session was decided before.
        self.turns.options().folder(Some(Path::new(&folder)), &FolderScope::default())
    }

    /// The outcome of a change of a session. If it was refused while a turn or a context of this server held the session, the refusal
    /// says so: the holder of the session's lock is this process.
    pub(crate) fn explained<T>(
        &self,
        session: &SessionId,
        changed: Result<T, Failure>,
    ) -> Result<T, Failure> {
        let refused = match changed {
            Err(refused) if refused.status() == StatusCode::CONFLICT => refused,
            changed => return changed,
        };
        if let Some(turn) = self.turns.running(session) {
            return Err(turn.holds(session));
        }
        if self.contexts.is_open(session.as_str()) {
            let why = format!(
                "session {session} is open as a context of this server (process {}); close it with POST \
                 /api/contexts/{session}/close",
                std::process::id()
            );
            return Err(Failure::new(StatusCode::CONFLICT, why));
        }
        Err(refused)
    }

    /// Forgets what is in memory of a session that was deleted.
    pub(crate) fn forget(&self, session: &SessionId) {
        self.logs.forget(session);
        self.mirrors.forget(session);
        self.contexts.forget(session);
        self.turns.forget(session);
    }

    /// The transcript of another agent that a session with this log was stored from. `None`: it is a session of this program.
    pub(crate) async fn mirror(
        &self,
        id: &SessionId,
        log: &Arc<StoredLog>,
    ) -> Result<Option<Arc<TranscriptPart>>, Failure> {
        Ok(self.mirrors.part(&self.handle(id), log).await?)
    }

    /// The whole log of a session, from memory if it has not changed.
    pub(crate) async fn log(&self, id: &SessionId) -> Result<Arc<StoredLog>, Failure> {
        Ok(self.logs.log(&self.handle(id)).await?)
    }
}

impl FromRef<App> for Storage {
    fn from_ref(app: &App) -> Self {
        app.storage.clone()
    }
}
