//! Where the sessions of contexts are stored.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_continuity::{InMemoryMessageLog, InMemorySnapshotStore, MessageLog, SnapshotStore};
use throughline_conversation::{Millis, SessionId};
use throughline_engine::ModelInfo;
use throughline_history::HistoryDatabase;
use throughline_resultstore::{InMemoryResultRepository, ResultRepository};

/// Gives each session its storage.
///
/// # Contract
/// The same id MUST get the same records as before. While a [`SessionStorage`] lives, no other one for its id is writable.
///
/// # When it fails
/// The context is not opened.
#[async_trait]
pub trait ContextStorage: fmt::Debug + Send + Sync {
    /// The storage of a session. A session that does not exist begins; `model` is who will answer it.
    async fn open(&self, session: &SessionId, model: &ModelInfo) -> Result<SessionStorage, StorageError>;

    /// The storage of a session that this process has closed, unless it does not exist any more. `created`: that of its
    /// [`SessionStorage`]. [`StorageError::Gone`]: it was deleted, and another session may have its id.
    async fn reopen(
        &self,
        session: &SessionId,
        model: &ModelInfo,
        created: Millis,
    ) -> Result<SessionStorage, StorageError>;

    /// A context could not be opened although its session was: gives the session back.
    async fn withdraw(&self, session: &SessionId, guard: Option<Box<dyn SessionGuard>>) {
        let _ = session;
        if let Some(guard) = guard {
            guard.release().await;
        }
    }

    /// A session that has begun has this first request. A storage with a list of sessions makes a title of it, unless the
    /// session has one.
    async fn name(&self, session: &SessionId, request: &str) -> Result<(), StorageError> {
        let _ = (session, request);
        Ok(())
    }

    /// This storage, if its sessions are only in memory: then a caller may forget one.
    fn in_memory(&self) -> Option<&InMemoryStorage> {
        None
    }
}

const _: fn(&dyn ContextStorage) = |_| {};

/// The storage of one session.
pub struct SessionStorage {
    /// When the session was created. One that gets its id after it was deleted was created at another time.
    pub created: Millis,
    /// Its log.
    pub log: Arc<dyn MessageLog>,
    /// Its snapshot.
    pub snapshots: Arc<dyn SnapshotStore>,
    /// Its stored results.
    pub results: Arc<dyn ResultRepository>,
    /// What answers the model's queries of its history; `None`: the model has no `query_db`.
    pub history: Option<Arc<dyn HistoryDatabase>>,
    /// Keeps other processes out.
    pub guard: Option<Box<dyn SessionGuard>>,
}

impl fmt::Debug for SessionStorage {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SessionStorage").field("log", &self.log).finish_non_exhaustive()
    }
}

/// Keeps other processes out of a session until it is released or dropped.
///
/// # Contract
/// When `release` returns, the next process can open the session.
///
/// # When it fails
/// It cannot: the storage gives up a guard whose holder is gone.
#[async_trait]
pub trait SessionGuard: Send + Sync {
    /// Who has taken the session over, as a sentence; `None`: this process has it, or the storage does not answer. It is asked when a
    /// record cannot be written.
    async fn lost(&self) -> Option<String> {
        None
    }

    /// Gives the session back.
    async fn release(self: Box<Self>);
}

const _: fn(&dyn SessionGuard) = |_| {};

/// Why a session has no storage.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// Another process, or another part of this one, has it open. The text says who.
    #[error("{0}")]
    Held(String),
    /// It does not exist.
    #[error("there is no such session")]
    Gone,
    /// It could not be opened.
    #[error("the session could not be opened")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Sessions in memory. They are gone with this value, or when they are forgotten.
#[derive(Debug, Default)]
pub struct InMemoryStorage {
    sessions: Mutex<HashMap<SessionId, MemorySession>>,
}

#[derive(Debug, Clone, Default)]
struct MemorySession {
    log: Arc<InMemoryMessageLog>,
    snapshots: Arc<InMemorySnapshotStore>,
    results: Arc<InMemoryResultRepository>,
}

impl InMemoryStorage {
    /// Forgets a session, which no context has open. Returns false for an unknown one.
    pub(crate) fn forget(&self, session: &SessionId) -> bool {
        self.sessions().remove(session).is_some()
    }

    /// Recovers a poisoned lock: no panic can leave the map half written.
    fn sessions(&self) -> MutexGuard<'_, HashMap<SessionId, MemorySession>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ContextStorage for InMemoryStorage {
    async fn open(&self, session: &SessionId, _model: &ModelInfo) -> Result<SessionStorage, StorageError> {
        let MemorySession { log, snapshots, results } =
            self.sessions().entry(session.clone()).or_default().clone();
        Ok(SessionStorage { created: Millis(0), log, snapshots, results, history: None, guard: None })
    }

    async fn reopen(
        &self,
        session: &SessionId,
        model: &ModelInfo,
        _created: Millis,
    ) -> Result<SessionStorage, StorageError> {
        self.open(session, model).await
    }

    fn in_memory(&self) -> Option<&InMemoryStorage> {
        Some(self)
    }
}
