//! The sessions of contexts that a user opens: each becomes the user's while its lock is held, so that no other open of the same id
//! comes between.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_completion::ModelInfo;
use throughline_contexts::{ContextStorage, SessionGuard, SessionStorage, StorageError};
use throughline_continuity::{DirectoryError, SessionDirectory as _, SessionInfo};
use throughline_conversation::{Millis, Seq, SessionId};
use throughline_store::{LockError, SessionLock};
use throughline_stored::{Storage, now};

use crate::caller::Caller;
use crate::context_owner::may_open;

/// The sessions of one open of a context, and what it has done to them.
#[derive(Debug)]
pub(crate) struct OwnedSessions {
    contexts: Arc<dyn ContextStorage>,
    storage: Storage,
    caller: Caller,
    /// The folder of a session that begins.
    folder: PathBuf,
    change: Mutex<OwnerChange>,
}

/// What an open has changed before it has succeeded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum OwnerChange {
    /// Nothing.
    #[default]
    Nothing,
    /// It has made the session.
    Made,
    /// It has given the session an owner.
    Claimed,
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> StorageError {
    StorageError::Other(Box::new(error))
}

impl OwnedSessions {
    /// The sessions of `contexts`, opened by a caller. A session that begins is in this folder.
    pub(crate) fn new(
        contexts: Arc<dyn ContextStorage>,
        storage: Storage,
        caller: Caller,
        folder: PathBuf,
    ) -> Self {
        Self { contexts, storage, caller, folder, change: Mutex::default() }
    }

    /// Makes a session that does not exist.
    async fn make(&self, session: &SessionId, model: &ModelInfo) -> Result<(), StorageError> {
        let sessions = self.storage.store.sessions();
        if sessions.get(session).await.map_err(other)?.is_some() {
            return Ok(());
        }
        // One that could not be locked would be left without an owner.
        self.lock(session).await?.give_back().await;
        let info = SessionInfo {
            id: session.clone(),
            title: String::new(),
            workspace: self.folder.display().to_string(),
            model: model.name.clone(),
            created: now(),
        };
        match sessions.create(&info).await {
            Ok(()) => self.note(OwnerChange::Made),
            Err(DirectoryError::Exists(_)) => {}
            Err(error) => return Err(other(error)),
        }
        Ok(())
    }

    async fn lock(&self, session: &SessionId) -> Result<SessionLock, StorageError> {
        self.storage.lock(session).await.map_err(|error| match &error {
            LockError::Held { .. } => StorageError::Held(error.to_string()),
            LockError::Server(_) | LockError::Unusable { .. } => other(error),
        })
    }

    /// Removes a session that was made and could not be opened, unless another open has it.
    async fn unmake(&self, session: &SessionId) {
        if *self.change() != OwnerChange::Made {
            return;
        }
        let Ok(lock) = self.lock(session).await else { return };
        if matches!(self.storage.store.session_owners().find(session).await, Ok(None)) {
            self.undo(session).await;
        }
        lock.give_back().await;
    }

    /// Makes the user the owner of a session whose lock is held.
    async fn claim(&self, session: &SessionId) -> Result<(), StorageError> {
        let Some(user) = self.caller.owner() else { return Ok(()) };
        let owners = self.storage.store.session_owners();
        let owner = owners.find(session).await.map_err(other)?;
        let info = self.storage.store.sessions().get(session).await.map_err(other)?;
        let folder = info.ok_or(StorageError::Gone)?.workspace;
        if !may_open(&self.caller, owner.as_deref(), &folder) {
            return Err(StorageError::Gone);
        }
        if owner.is_none() {
            owners.claim(session, user).await.map_err(other)?;
            if *self.change() == OwnerChange::Nothing {
                self.note(OwnerChange::Claimed);
            }
        }
        Ok(())
    }

    /// Removes an empty session that was made, and the claim of one that had no owner. The lock of the session is held.
    async fn undo(&self, session: &SessionId) {
        let change = *self.change();
        let is_empty = self.storage.log().last(session).await.is_ok_and(|last| last == Seq(0));
        if change == OwnerChange::Made && is_empty {
            if let Err(error) = self.storage.store.sessions().remove(session).await {
                tracing::warn!(%session, %error, "a session without records is left");
            }
        } else if change == OwnerChange::Claimed
            && let Err(error) = self.storage.store.session_owners().release(session).await
        {
            tracing::warn!(%session, %error, "a session has an owner who could not open it");
        }
    }

    fn note(&self, change: OwnerChange) {
        *self.change() = change;
    }

    fn change(&self) -> MutexGuard<'_, OwnerChange> {
        self.change.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl ContextStorage for OwnedSessions {
    async fn open(&self, session: &SessionId, model: &ModelInfo) -> Result<SessionStorage, StorageError> {
        self.make(session, model).await?;
        let stored = match self.contexts.open(session, model).await {
            Ok(stored) => stored,
            Err(error) => {
                self.unmake(session).await;
                return Err(error);
            }
        };
        let Err(refused) = self.claim(session).await else { return Ok(stored) };
        // What is another user's by now stays.
        self.contexts.withdraw(session, stored.guard).await;
        Err(refused)
    }

    async fn withdraw(&self, session: &SessionId, guard: Option<Box<dyn SessionGuard>>) {
        self.undo(session).await;
        self.contexts.withdraw(session, guard).await;
    }

    async fn reopen(
        &self,
        session: &SessionId,
        model: &ModelInfo,
        created: Millis,
    ) -> Result<SessionStorage, StorageError> {
        self.contexts.reopen(session, model, created).await
    }

    async fn name(&self, session: &SessionId, request: &str) -> Result<(), StorageError> {
        self.contexts.name(session, request).await
    }
}
