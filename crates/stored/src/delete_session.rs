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

/// What becomes of the memos that a deleted session wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionMemos {
    /// They stay: memos outlive sessions (S4-19).
    Stay,
    /// They are deleted, too.
    Delete,
}

impl Storage {
    /// Deletes a session: records, snapshots, stored results, its messages in the input history, and its lock file. A session of
    /// another agent is marked as deleted, so that its transcript is not stored again.
    /// [`Store::forget_deleted`](throughline_store::Store::forget_deleted) erases the bytes. Returns the number of memos that were
    /// deleted.
    ///
    /// # Errors
    /// The storage failed. Then delete it again.
    pub async fn delete_session(
        &self,
        session: &SessionId,
        lock: SessionLock,
        memos: SessionMemos,
    ) -> Result<usize> {
        let deleted = match memos {
            SessionMemos::Stay => 0,
            SessionMemos::Delete => {
                self.store.notes().remove(&Removal::Session(session.clone())).await?.len()
            }
        };
        DeletedSessions::in_folder(self.folder.root()).mark(std::slice::from_ref(session))?;
        self.remove_session(session, lock).await?;
        session_costs::forget(self.folder.root(), std::slice::from_ref(session));
        Ok(deleted)
    }

    /// Removes what [`delete_session`](Self::delete_session) does, and leaves memos, its stored cost and the mark of its deletion
    /// to the caller.
    pub(crate) async fn remove_session(&self, session: &SessionId, lock: SessionLock) -> Result<()> {
        SessionHandle::new(self.clone(), session.clone()).delete_inputs().await?;
        self.store.sessions().remove(session).await?;
        SideFile::remove_all(self.folder.root(), session)?;
        lock.remove().attempt(|| format!("could not remove the lock of session {session}"))
    }
}
