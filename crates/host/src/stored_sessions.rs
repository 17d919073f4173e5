//! Contexts as sessions of a storage: with a lock, and a place in the list of sessions.

use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use throughline_completion::ModelInfo;
use throughline_contexts::{ContextStorage, SessionGuard, SessionStorage, StorageError};
use throughline_continuity::{SessionDirectory as _, SessionInfo, title_of};
use throughline_conversation::{Millis, SessionId};
use throughline_query::SqliteHistory;
use throughline_store::{DatabaseError, LockError, SessionLock};
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
        let lock = self.lock(session).await?;
        let new = SessionInfo {
            id: session.clone(),
            title: String::new(),
            workspace: self.folder.display().to_string(),
            model: model.name.clone(),
            created: now(),
        };
        match self.made(new).await {
            Ok(created) => Ok(self.stored(session, lock, created)),
            Err(error) => {
                lock.give_back().await;
                Err(error)
            }
        }
    }

    async fn reopen(
        &self,
        session: &SessionId,
        _model: &ModelInfo,
        created: Millis,
    ) -> Result<SessionStorage, StorageError> {
        let lock = self.lock(session).await?;
        match self.storage.store.sessions().get(session).await {
            Ok(Some(info)) if info.created == created => Ok(self.stored(session, lock, created)),
            Ok(Some(_)) => {
                lock.give_back().await;
                Err(StorageError::Gone)
            }
            Ok(None) => {
                // Nothing is to be left of a deleted session. A lock file that stays is harmless.
                let _ = lock.remove();
                Err(StorageError::Gone)
            }
            Err(error) => {
                lock.give_back().await;
                Err(other(error))
            }
        }
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

impl StoredSessions {
    async fn lock(&self, session: &SessionId) -> Result<SessionLock, StorageError> {
        self.storage.lock(session).await.map_err(|error| match &error {
            LockError::Held { .. } => StorageError::Held(error.to_string()),
            LockError::Server(_) | LockError::Unusable { .. } => other(error),
        })
    }

    /// When a session was created. One that does not exist is created.
    async fn made(&self, new: SessionInfo) -> Result<Millis, StorageError> {
        if let Some(info) = self.storage.store.sessions().get(&new.id).await.map_err(other)? {
            return Ok(info.created);
        }
        self.storage.create_session(&new).await.map_err(other)?;
        Ok(new.created)
    }

    fn stored(&self, session: &SessionId, lock: SessionLock, created: Millis) -> SessionStorage {
        let guard = LockGuard { lock, storage: self.storage.clone(), session: session.clone() };
        SessionStorage {
            created,
            log: self.storage.log(),
            snapshots: self.storage.snapshots(),
            results: self.storage.results(),
            history: Some(Arc::new(SqliteHistory::default())),
            guard: Some(Box::new(guard)),
        }
    }
}

/// The lock of a session.
struct LockGuard {
    lock: SessionLock,
    storage: Storage,
    session: SessionId,
}

#[async_trait]
impl SessionGuard for LockGuard {
    async fn lost(&self) -> Option<String> {
        let checked = self.storage.store.check_lock(&self.session).await;
        checked
            .err()
            .filter(|error| matches!(error, DatabaseError::TakenOver { .. }))
            .map(|error| error.to_string())
    }

    async fn release(self: Box<Self>) {
        self.lock.give_back().await;
    }
}
