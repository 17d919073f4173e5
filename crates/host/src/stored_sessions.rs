//! Contexts as sessions of a storage: with a lock, and a place in the list of sessions.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_completion::ModelInfo;
use throughline_contexts::{ContextStorage, SessionGuard, SessionStorage, StorageError};
use throughline_continuity::{SessionDirectory as _, SessionInfo, title_of};
use throughline_conversation::SessionId;
use throughline_query::SqliteHistory;
use throughline_store::{LockError, SessionLock};
use throughline_stored::{Storage, now};

/// The sessions of a storage.
#[derive(Debug)]
pub(crate) struct StoredSessions {
    pub(crate) storage: Storage,
    /// The folder that new sessions belong to.
    pub(crate) folder: PathBuf,
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> StorageError {
    StorageError::Other(Box::new(error))
}

#[async_trait]
impl ContextStorage for StoredSessions {
    async fn open(&self, session: &SessionId, model: &ModelInfo) -> Result<SessionStorage, StorageError> {
        let lock = self.storage.lock(session).await.map_err(|error| match &error {
            LockError::Held { .. } => StorageError::Held(error.to_string()),
            LockError::Server(_) | LockError::Unusable { .. } => other(error),
        })?;
        let info = SessionInfo {
            id: session.clone(),
            title: String::new(),
            workspace: self.folder.display().to_string(),
            model: model.name.clone(),
            created: now(),
        };
        if let Err(error) = self.storage.create_session(&info).await {
            lock.give_back().await;
            return Err(other(error));
        }
        Ok(SessionStorage {
            log: self.storage.log(),
            snapshots: self.storage.snapshots(),
            results: self.storage.results(),
            history: Some(Arc::new(SqliteHistory::default())),
            guard: Some(Box::new(LockGuard(lock))),
        })
    }

    async fn name(&self, session: &SessionId, request: &str) -> Result<(), StorageError> {
        let sessions = self.storage.store.sessions();
        let known = sessions.get(session).await.map_err(other)?;
        if known.is_some_and(|info| info.title.is_empty()) {
            sessions.rename(session, &title_of(request)).await.map_err(other)?;
        }
        Ok(())
    }
}

/// The lock of a session.
struct LockGuard(SessionLock);

#[async_trait]
impl SessionGuard for LockGuard {
    async fn release(self: Box<Self>) {
        self.0.give_back().await;
    }
}
