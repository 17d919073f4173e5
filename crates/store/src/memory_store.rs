//! The store of a program without a database: all of it in memory, and gone with the last clone.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use throughline_continuity::{
    DirectoryError, InMemoryContextStore, InMemoryMessageLog, InMemorySessionDirectory,
    InMemorySnapshotStore, LogError, Part, SessionDirectory as _, SessionInfo, read_all,
};
use throughline_conversation::{Millis, Record, Seq, SessionId};
use throughline_memory::InMemoryMemory;
use throughline_resultstore::InMemoryResultRepository;

use crate::changes::LogChanges;
use crate::database_error::DatabaseError;
use crate::durability::Durability;
use crate::encryption_error::EncryptionError;
use crate::encryption_key::EncryptionKey;
use crate::listed_session::ListedSession;
use crate::lock::{SessionLock, lock_session};
use crate::lock_error::LockError;
use crate::memory_session_parents::InMemorySessionParents;
use crate::open_error::OpenError;
use crate::port_fork::ForkPorts;
use crate::server_url::ServerUrl;

/// Sessions, results and memos in memory. A database needs the feature `sqlite`; with it this type has the same methods.
#[derive(Debug, Clone)]
pub struct Store {
    path: PathBuf,
    log: InMemoryMessageLog,
    snapshots: InMemorySnapshotStore,
    sessions: InMemorySessionDirectory,
    contexts: InMemoryContextStore,
    results: InMemoryResultRepository,
    memory: InMemoryMemory,
    parents: InMemorySessionParents,
}

impl Store {
    /// An empty store in memory. `path` is the data folder, which errors name.
    #[must_use]
    pub fn in_memory(path: &Path) -> Self {
        let (log, snapshots) = (InMemoryMessageLog::new(), InMemorySnapshotStore::new());
        let sessions = InMemorySessionDirectory::over(Arc::new(log.clone()), Arc::new(snapshots.clone()));
        Self {
            path: path.to_path_buf(),
            log,
            snapshots,
            sessions,
            contexts: InMemoryContextStore::new(),
            results: InMemoryResultRepository::new(),
            memory: InMemoryMemory::new(),
            parents: InMemorySessionParents::default(),
        }
    }

    /// Fails: there is no database.
    ///
    /// # Errors
    /// [`OpenError::NoDatabase`].
    pub async fn open_with(path: &Path, _durability: Durability) -> Result<Self, OpenError> {
        Err(OpenError::NoDatabase { path: path.to_path_buf() })
    }

    /// Fails: there is no database.
    ///
    /// # Errors
    /// [`OpenError::NoDatabase`].
    pub async fn open_serial(path: &Path, _durability: Durability) -> Result<Self, OpenError> {
        Err(OpenError::NoDatabase { path: path.to_path_buf() })
    }

    /// Fails: there is no database.
    ///
    /// # Errors
    /// [`OpenError::NoDatabase`].
    pub async fn open_read_only(path: &Path) -> Result<Self, OpenError> {
        Err(OpenError::NoDatabase { path: path.to_path_buf() })
    }

    /// Fails: there is no database.
    ///
    /// # Errors
    /// [`OpenError::NoDatabase`]. It shows no password.
    pub async fn open_server(server: &ServerUrl, _durability: Durability) -> Result<Self, OpenError> {
        Err(OpenError::NoDatabase { path: server.to_string().into() })
    }

    /// Takes the lock of a session: a lock file in the data folder.
    ///
    /// # Errors
    /// [`LockError::Held`] when another process, or another part of this one, has it.
    pub async fn lock(&self, data_dir: &Path, session: &SessionId) -> Result<SessionLock, LockError> {
        lock_session(data_dir, session)
    }

    /// Returns false: there is no server.
    #[must_use]
    pub fn is_server(&self) -> bool {
        false
    }

    /// The log of every session.
    #[must_use]
    pub fn message_log(&self) -> InMemoryMessageLog {
        self.log.clone()
    }

    /// The snapshots.
    #[must_use]
    pub fn snapshots(&self) -> InMemorySnapshotStore {
        self.snapshots.clone()
    }

    /// The contexts that were restored to agents.
    #[must_use]
    pub fn contexts(&self) -> InMemoryContextStore {
        self.contexts.clone()
    }

    /// The list of sessions.
    #[must_use]
    pub fn sessions(&self) -> InMemorySessionDirectory {
        self.sessions.clone()
    }

    /// All sessions without the figures of their logs, the one with the newest activity first.
    ///
    /// # Errors
    /// None: they are in memory.
    pub async fn session_names(&self) -> Result<Vec<ListedSession>, DirectoryError> {
        let listed = self.sessions.list().await?;
        Ok(listed.into_iter().map(|one| ListedSession { info: one.info, parent: one.parent }).collect())
    }

    /// Which session a sub-agent works for.
    #[must_use]
    pub fn session_parents(&self) -> InMemorySessionParents {
        self.parents.clone()
    }

    /// The stored tool results.
    #[must_use]
    pub fn results(&self) -> InMemoryResultRepository {
        self.results.clone()
    }

    /// The memos, of all sessions.
    #[must_use]
    pub fn notes(&self) -> InMemoryMemory {
        self.memory.clone()
    }

    /// The index of memory files.
    #[must_use]
    pub fn file_index(&self) -> InMemoryMemory {
        self.memory.clone()
    }

    /// The search over memos and memory files.
    #[must_use]
    pub fn memory_search(&self) -> InMemoryMemory {
        self.memory.clone()
    }

    /// Says when to look for new records: every half second.
    #[must_use]
    pub fn changes(&self) -> LogChanges {
        LogChanges::by_looking()
    }

    /// The same store: nothing in memory is encrypted.
    #[must_use]
    pub fn with_key(self, _key: EncryptionKey) -> Self {
        self
    }

    /// Succeeds: nothing in memory is encrypted.
    ///
    /// # Errors
    /// None.
    pub async fn check_key(&self) -> Result<(), EncryptionError> {
        Ok(())
    }

    /// Succeeds: what is deleted from memory is gone.
    ///
    /// # Errors
    /// None.
    pub async fn forget_deleted(&self) -> Result<bool, DatabaseError> {
        Ok(true)
    }

    /// The data folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Succeeds: there is no file that could be replaced.
    ///
    /// # Errors
    /// None.
    pub fn check_place(&self) -> Result<(), DatabaseError> {
        Ok(())
    }

    /// Makes a session that begins as a copy of another one: its log and its stored results.
    ///
    /// # Errors
    /// [`DirectoryError`] when the new id is taken.
    pub async fn fork(&self, from: &SessionId, to: &SessionInfo) -> Result<(), DirectoryError> {
        ForkPorts { sessions: &self.sessions, log: &self.log, results: &self.results }.fork(from, to).await
    }

    /// The messages, revisions of documents and edits after a record, oldest first. The caller looks into them.
    ///
    /// # Errors
    /// [`LogError`] if the log cannot be read.
    pub async fn records_that_may_have(
        &self,
        session: &SessionId,
        _words: &[String],
        after: Seq,
    ) -> Result<Vec<Record>, LogError> {
        let mut records = self.records(session, after).await?;
        records.retain(|record| matches!(record.body.kind(), "message" | "document" | "edit"));
        Ok(records)
    }

    /// The receipts and side requests that were recorded behind a record and since a time, with the records that name their
    /// models: a list for each session, in order. `None`: of all sessions.
    ///
    /// # Errors
    /// [`LogError`] if the log cannot be read.
    pub async fn usage_records(
        &self,
        session: Option<&SessionId>,
        behind: Seq,
        since: Millis,
    ) -> Result<Vec<Vec<Record>>, LogError> {
        let listed = self.sessions.list().await.map_err(|error| LogError::Other(error.into()))?;
        let mut sessions = Vec::new();
        for one in listed.into_iter().filter(|one| session.is_none_or(|session| one.info.id == *session)) {
            let records = self.records(&one.info.id, behind).await?.into_iter();
            let tells = |record: &Record| match record.body.kind() {
                "model" => true,
                "receipt" | "spent" => record.at >= since,
                _ => false,
            };
            sessions.push(records.filter(tells).collect());
        }
        Ok(sessions)
    }

    /// The last record that a session has of the one that it is a copy of; 0: it is no copy.
    ///
    /// # Errors
    /// [`LogError`] if the log cannot be read.
    pub async fn inherited(&self, session: &SessionId) -> Result<Seq, LogError> {
        let info = self.sessions.get(session).await.map_err(|error| LogError::Other(error.into()))?;
        let created = info.map_or(Millis(0), |info| info.created);
        let records = self.records(session, Seq(0)).await?;
        Ok(records.iter().take_while(|record| record.at < created).last().map_or(Seq(0), |last| last.seq))
    }

    async fn records(&self, session: &SessionId, after: Seq) -> Result<Vec<Record>, LogError> {
        Ok(read_all(&self.log, session, after, Part::All).await?.records)
    }
}

#[cfg(test)]
#[path = "memory_store/tests.rs"]
mod tests;
