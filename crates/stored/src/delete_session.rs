//! Permanent deletion of a whole session.

use throughline_continuity::SessionDirectory as _;
use throughline_conversation::SessionId;
use throughline_memory::{NoteRepository as _, Removal};
use throughline_store::SessionLock;

use crate::deleted_sessions::DeletedSessions;
use crate::error::{Attempt as _, Result};
use crate::handle::SessionHandle;
use crate::session_costs;
use crate::side_file::SideFile;
use crate::storage::Storage;

/// What was deleted with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionDeletion {
    /// Memos that it wrote.
    pub memos: usize,
}

impl Storage {
    /// Deletes a session: records, snapshots, stored results, the memos that it wrote, its messages in the input history, and its
    /// lock file. A session of another agent is marked as deleted, so that its transcript is not stored again.
    /// [`Store::forget_deleted`](throughline_store::Store::forget_deleted) erases the bytes.
    ///
    /// # Errors
    /// The storage failed. Then delete it again.
    pub async fn delete_session(&self, session: &SessionId, lock: SessionLock) -> Result<SessionDeletion> {
        let deleted = self.remove_session(session, lock).await?;
        session_costs::forget(self.folder.root(), std::slice::from_ref(session));
        Ok(deleted)
    }

    /// As [`delete_session`](Self::delete_session), and leaves its stored cost to the caller.
    pub(crate) async fn remove_session(
        &self,
        session: &SessionId,
        lock: SessionLock,
    ) -> Result<SessionDeletion> {
        DeletedSessions::in_folder(self.folder.root()).mark(std::slice::from_ref(session))?;
        SessionHandle::new(self.clone(), session.clone()).delete_inputs().await?;
        let memos = self.store.notes().remove(&Removal::Session(session.clone())).await?.len();
        self.store.sessions().remove(session).await?;
        SideFile::remove_all(self.folder.root(), session)?;
        lock.remove().attempt(|| format!("could not remove the lock of session {session}"))?;
        Ok(SessionDeletion { memos })
    }
}
