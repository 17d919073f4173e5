//! Opening the database and handing out its adapters.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use throughline_continuity::DirectoryError;
use throughline_conversation::SessionId;

use crate::audit_log::SeaAuditLog;
use crate::context_store::SeaContextStore;
use crate::database::{CONNECTIONS, Database, SERIAL};
use crate::database_error::DatabaseError;
use crate::dialect::Dialect;
use crate::durability::Durability;
use crate::file_index::SeaFileIndex;
use crate::listed_session::ListedSession;
use crate::lock::{SessionLock, lock_session};
use crate::lock_error::LockError;
use crate::memory_search::SeaMemorySearch;
use crate::message_log::SeaMessageLog;
use crate::migration;
use crate::note_repository::SeaNoteRepository;
use crate::open_error::OpenError;
use crate::private;
use crate::read_only::check_not_emptied;
use crate::result_repository::SeaResultRepository;
use crate::server_url::ServerUrl;
use crate::session_directory::SeaSessionDirectory;
use crate::session_owners::SeaSessionOwners;
use crate::session_parents::SeaSessionParents;
use crate::snapshot_store::SeaSnapshotStore;
use crate::user_tokens::SeaUserTokens;

/// The database of all sessions. The adapters share its connections and are cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) database: Arc<Database>,
}

impl Store {
    /// Opens a database file, and creates it if it is missing. Its folder must exist.
    ///
    /// # Errors
    /// [`OpenError`], which says what helps.
    pub async fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_with(path, Durability::Normal).await
    }

    /// Opens a database file as [`Store::open`] does, and says what a power failure may take of it.
    ///
    /// # Errors
    /// [`OpenError`], which says what helps.
    pub async fn open_with(path: &Path, durability: Durability) -> Result<Self, OpenError> {
        Self::open_file(path, durability, CONNECTIONS).await
    }

    /// Opens a database file as [`Store::open_with`] does, for a program whose statements follow each other: with fewer
    /// connections, which makes opening it cheaper. Statements at the same time wait for each other.
    ///
    /// # Errors
    /// [`OpenError`], which says what helps.
    pub async fn open_serial(path: &Path, durability: Durability) -> Result<Self, OpenError> {
        Self::open_file(path, durability, SERIAL).await
    }

    async fn open_file(path: &Path, durability: Durability, connections: u32) -> Result<Self, OpenError> {
        check_not_emptied(path)?;
        // SQLite gives the files next to it (`-wal`, `-shm`) the mode that the database file has.
        private::prepare_database(path)
            .map_err(|source| OpenError::Unwritable { path: path.to_path_buf(), source })?;
        let mut wait = Duration::from_millis(5);
        loop {
            match Self::try_open(Database::file(path, durability, connections).await).await {
                // Several processes that open a new database at once can be in each other's way for a moment,
                // and SQLite does not wait while the journal mode changes.
                Err(OpenError::Database(DatabaseError::Busy { .. })) if wait < Duration::from_secs(2) => {
                    tokio::time::sleep(wait).await;
                    wait *= 2;
                }
                Ok(store) => {
                    store.database.open_writer();
                    return Ok(store);
                }
                failed => return failed,
            }
        }
    }

    /// Opens a database on a PostgreSQL server, and creates its tables if they are missing. With [`Durability::Full`] an append
    /// waits for the disk of the server, whatever that is set to.
    ///
    /// # Errors
    /// [`OpenError`], which says what helps. It shows no password.
    pub async fn open_server(server: &ServerUrl, durability: Durability) -> Result<Self, OpenError> {
        #[cfg(feature = "postgres")]
        return Self::try_open(Database::server(server, durability).await).await;
        #[cfg(not(feature = "postgres"))]
        return {
            let _ = durability;
            Err(OpenError::NoServers { server: server.clone() })
        };
    }

    /// A database in memory: gone when the last clone is dropped.
    ///
    /// # Errors
    /// [`OpenError`] when SQLite cannot be used at all.
    pub async fn open_in_memory() -> Result<Self, OpenError> {
        Self::try_open(Database::memory().await).await
    }

    async fn try_open(opened: Result<Database, DatabaseError>) -> Result<Self, OpenError> {
        let database = opened.map_err(OpenError::Database)?;
        let migrated = migration::migrate(&database).await;
        let tables = migrated.map_err(|error| OpenError::Database(database.fault(error)))?;
        tables.known(&database.path)?;
        if database.dialect() == Dialect::Sqlite {
            let switched = database.write_ahead().await;
            switched.map_err(|error| OpenError::Database(database.fault(error)))?;
        }
        Ok(Self::of(database))
    }

    pub(crate) fn database(&self) -> &Database {
        &self.database
    }

    /// Takes the lock of a session: a lock file in the data folder, or for a session on a server a lease, which the clock of
    /// the server ends.
    ///
    /// A lease is renewed until the lock is dropped. If this process stalls for longer than it is valid, another one can
    /// take the session over; then every write of this one fails with [`DatabaseError::TakenOver`]. A lease whose holder has
    /// ended without giving it back is waited for; it expires within ten seconds.
    ///
    /// # Errors
    /// [`LockError::Held`] when another process, or another part of this one, has it.
    pub async fn lock(&self, data_dir: &Path, session: &SessionId) -> Result<SessionLock, LockError> {
        if let Some(leases) = &self.database.leases {
            return leases.take(session).await.map(SessionLock::of_lease);
        }
        lock_session(data_dir, session)
    }

    /// Fails if this process has locked a session that another one has taken over since. In a file that cannot happen.
    ///
    /// # Errors
    /// [`DatabaseError::TakenOver`]; another one if the server does not answer.
    pub async fn check_lock(&self, session: &SessionId) -> Result<(), DatabaseError> {
        self.database.check_lease(session).await
    }

    /// Returns true if the database is on a server.
    #[must_use]
    pub fn is_server(&self) -> bool {
        self.database.dialect() == Dialect::Postgres
    }

    /// The log of every session.
    #[must_use]
    pub fn message_log(&self) -> SeaMessageLog {
        SeaMessageLog::new(Arc::clone(&self.database))
    }

    /// The snapshots.
    #[must_use]
    pub fn snapshots(&self) -> SeaSnapshotStore {
        SeaSnapshotStore::new(Arc::clone(&self.database))
    }

    /// The contexts that were restored to agents.
    #[must_use]
    pub fn contexts(&self) -> SeaContextStore {
        SeaContextStore::new(Arc::clone(&self.database))
    }

    /// The list of sessions.
    #[must_use]
    pub fn sessions(&self) -> SeaSessionDirectory {
        SeaSessionDirectory::new(Arc::clone(&self.database))
    }

    /// All sessions without the figures of their logs, the one that was written last first.
    ///
    /// # Errors
    /// [`DirectoryError`] if the database failed.
    pub async fn session_names(&self) -> Result<Vec<ListedSession>, DirectoryError> {
        self.sessions().names().await
    }

    /// The stored tool results.
    #[must_use]
    pub fn results(&self) -> SeaResultRepository {
        SeaResultRepository::new(Arc::clone(&self.database))
    }

    /// The memos, of all sessions.
    #[must_use]
    pub fn notes(&self) -> SeaNoteRepository {
        SeaNoteRepository::new(Arc::clone(&self.database))
    }

    /// The tokens of a server's users.
    #[must_use]
    pub fn user_tokens(&self) -> SeaUserTokens {
        SeaUserTokens::new(Arc::clone(&self.database))
    }

    /// The users that made sessions.
    #[must_use]
    pub fn session_owners(&self) -> SeaSessionOwners {
        SeaSessionOwners::new(Arc::clone(&self.database))
    }

    /// Which sessions are of sub-agents.
    #[must_use]
    pub fn session_parents(&self) -> SeaSessionParents {
        SeaSessionParents::new(Arc::clone(&self.database))
    }

    /// What users have changed.
    #[must_use]
    pub fn audit_log(&self) -> SeaAuditLog {
        SeaAuditLog::new(Arc::clone(&self.database))
    }

    /// The index of memory files.
    #[must_use]
    pub fn file_index(&self) -> SeaFileIndex {
        SeaFileIndex::new(Arc::clone(&self.database))
    }

    /// The search over memos and memory files.
    #[must_use]
    pub fn memory_search(&self) -> SeaMemorySearch {
        SeaMemorySearch::new(Arc::clone(&self.database))
    }

    /// Writes the database again, so that nothing that was deleted is left in any of its files. Deleting records permanently
    /// does it by itself. Costs the size of the database, and for a moment as much room on the disk and as
    /// much among the temporary files (`SQLITE_TMPDIR` names another place for those). `false`: as for
    /// [`Store::fold`].
    ///
    /// # Errors
    /// [`DatabaseError::BytesLeft`] when SQLite cannot do it, [`DatabaseError::ObjectsLeft`] when objects of deleted results are left
    /// in the object store; nothing else is lost.
    pub async fn forget_deleted(&self) -> Result<bool, DatabaseError> {
        let left = |error| DatabaseError::BytesLeft(Box::new(self.database.fault(error)));
        let forgotten = self.database.forget_deleted().await.map_err(left)?;
        self.database.remove_loose_objects().await?;
        Ok(forgotten)
    }

    /// Removes the objects of deleted results that could not be removed before.
    ///
    /// # Errors
    /// Objects are left in the object store.
    pub async fn remove_objects(&self) -> Result<(), DatabaseError> {
        Ok(self.database.remove_loose_objects().await?)
    }

    /// The database file, or the address of the server without its password.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.database.path
    }

    /// Fails if the database file was removed, moved or replaced since it was opened. What is written then is lost, although
    /// every write succeeds.
    ///
    /// # Errors
    /// [`DatabaseError::Gone`].
    pub fn check_place(&self) -> Result<(), DatabaseError> {
        self.database.check_place()
    }

    /// Moves the write-ahead log into the database file, which has everything then. `false`: another program reads or writes at this
    /// moment.
    ///
    /// # Errors
    /// [`DatabaseError`] if the database failed.
    pub async fn fold(&self) -> Result<bool, DatabaseError> {
        self.database.fold().await.map_err(|error| self.database.fault(error))
    }

    /// Closes all connections, of all clones too, and folds the write-ahead log into the database file.
    ///
    /// # Errors
    /// [`DatabaseError`] when SQLite cannot finish its work; nothing that was appended is lost.
    pub async fn close(self) -> Result<(), DatabaseError> {
        if let Some(writer) = self.database.writer() {
            writer.close();
        }
        self.database.connection.pool().close_by_ref().await.map_err(|error| self.database.fault(error))
    }
}
