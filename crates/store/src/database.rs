//! The connections to one database.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use sea_orm::sqlx::sqlite::SqliteConnectOptions;
use sea_orm::sqlx::{self, Executor as _};
use sea_orm::{
    ConnectOptions, ConnectionTrait, DatabaseTransaction, DbErr, IsolationLevel, RuntimeErr,
    SqliteTransactionMode, TransactionOptions,
};

use tempfile::TempDir;

use crate::blobs::Blobs;
use crate::database_error::DatabaseError;
use crate::dialect::{Dialect, statement};
use crate::durability::Durability;
use crate::encryption_key::EncryptionKey;
use crate::identity::FileIdentity;
use crate::inline_writer::InlineWriter;
use crate::lease::Leases;
use crate::link::Link;

/// How long a statement waits for another program that writes.
const PATIENCE: Duration = Duration::from_secs(5);

/// Moves the write-ahead log into the file.
const FOLD: &str = "PRAGMA wal_checkpoint(TRUNCATE)";

/// Connections side by side: one that writes, one that reads meanwhile. Each costs a thread, a cache and the reading of the
/// tables, and the pool opens another one rather than wait for one that is just being returned to it.
pub(crate) const CONNECTIONS: u32 = 2;
/// Where statements follow each other.
pub(crate) const SERIAL: u32 = 1;

/// A pool of connections, and the name of the database for errors.
#[derive(Debug)]
pub(crate) struct Database {
    pub(crate) connection: Link,
    /// The file, or the address of the server without its password.
    pub(crate) path: PathBuf,
    durability: Durability,
    writer: OnceLock<InlineWriter>,
    /// Encrypts what is written; see `encryption`.
    pub(crate) key: OnceLock<EncryptionKey>,
    /// Where large contents go; see `objects`.
    pub(crate) blobs: OnceLock<Blobs>,
    /// The file that was opened; `None`: a database in memory.
    file: Option<FileIdentity>,
    /// The folder of the copy that is read in place of the file.
    pub(crate) copy: Option<TempDir>,
    /// The sessions that this process may write; `None`: the database is a file.
    pub(crate) leases: Option<Leases>,
    /// Which sessions get new records; `None`: the database is a file.
    #[cfg(feature = "postgres")]
    pub(crate) announcements: Option<crate::announcements::Announcements>,
}

/// How a file is opened to read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// A copy that is ours: it may be written.
    Writable,
    /// It is not written. With a write-ahead log, SQLite needs the index of that log next to it.
    ReadOnly,
    /// No program writes it, and it has no write-ahead log.
    Immutable,
}

impl Database {
    /// Opens the fast path for small appends. The tables must be there.
    pub(crate) fn open_writer(&self) {
        if let Some(writer) = InlineWriter::open(&self.path, self.durability) {
            // A second call changes nothing.
            let _ = self.writer.set(writer);
        }
    }

    /// The fast path for small appends; a database in memory has none.
    pub(crate) fn writer(&self) -> Option<&InlineWriter> {
        self.writer.get()
    }

    /// Opens the database in a file, with this many connections at most.
    pub(crate) async fn file(
        path: &Path,
        durability: Durability,
        connections: u32,
    ) -> Result<Self, DatabaseError> {
        Self::open_file(path, PATIENCE, durability, connections).await
    }

    /// The same, with another time that a statement waits.
    #[cfg(test)]
    pub(crate) async fn file_with(
        path: &Path,
        patience: Duration,
        durability: Durability,
    ) -> Result<Self, DatabaseError> {
        Self::open_file(path, patience, durability, CONNECTIONS).await
    }

    async fn open_file(
        path: &Path,
        patience: Duration,
        durability: Durability,
        connections: u32,
    ) -> Result<Self, DatabaseError> {
        let file = path.to_path_buf();
        let mut options = options(connections);
        options.map_sqlx_sqlite_opts(move |sqlite| {
            configured(sqlite, durability).filename(&file).busy_timeout(patience)
        });
        Self::connect(options, path, durability).await
    }

    /// Opens a database file to read it. Errors name it as `named`.
    pub(crate) async fn read(file: &Path, source: Source, named: &Path) -> Result<Self, DatabaseError> {
        let file = file.to_path_buf();
        let mut options = options(CONNECTIONS);
        options.map_sqlx_sqlite_opts(move |sqlite| {
            configured(sqlite, Durability::Normal)
                .filename(&file)
                .create_if_missing(false)
                .busy_timeout(PATIENCE)
                .read_only(source != Source::Writable)
                .immutable(source == Source::Immutable)
        });
        Self::connect(options, named, Durability::Normal).await
    }

    /// Opens a database in memory. It lives as long as its one connection.
    pub(crate) async fn memory() -> Result<Self, DatabaseError> {
        let mut options = options(1);
        options.map_sqlx_sqlite_opts(|sqlite| configured(sqlite, Durability::Normal).filename(":memory:"));
        Self::connect(options, Path::new(":memory:"), Durability::Normal).await
    }

    async fn connect(
        options: ConnectOptions,
        path: &Path,
        durability: Durability,
    ) -> Result<Self, DatabaseError> {
        let connected = sea_orm::Database::connect(options).await;
        let connection = connected.map_err(|error| DatabaseError::of(error, path))?;
        let mut database = Self::on(Link::new(connection), path, durability);
        database.file = FileIdentity::of(path);
        Ok(database)
    }

    /// A database that is connected to.
    pub(crate) fn on(connection: Link, path: &Path, durability: Durability) -> Self {
        Self {
            connection,
            path: path.to_path_buf(),
            durability,
            writer: OnceLock::new(),
            key: OnceLock::new(),
            blobs: OnceLock::new(),
            file: None,
            copy: None,
            leases: None,
            #[cfg(feature = "postgres")]
            announcements: None,
        }
    }

    /// Which SQL it speaks.
    pub(crate) fn dialect(&self) -> Dialect {
        Dialect::of(&self.connection)
    }

    /// Fails if the file is not at its place any more: what is written now is lost.
    pub(crate) fn check_place(&self) -> Result<(), DatabaseError> {
        if self.file.is_some() && FileIdentity::of(&self.path) != self.file {
            return Err(DatabaseError::Gone { path: self.path.clone() });
        }
        Ok(())
    }

    /// What an error of this database means.
    pub(crate) fn fault(&self, error: DbErr) -> DatabaseError {
        match self.dialect() {
            Dialect::Sqlite => DatabaseError::of(error, &self.path),
            Dialect::Postgres => DatabaseError::of_server(error, &self.path),
        }
    }

    /// A transaction that may write. It asks for the right to write at once: one that began by reading could
    /// not wait for it later.
    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let mode = Some(SqliteTransactionMode::Immediate);
        let options = TransactionOptions { sqlite_transaction_mode: mode, ..TransactionOptions::default() };
        self.connection.begin(options).await
    }

    /// A transaction that sees one moment of the whole database.
    pub(crate) async fn begin_of_one_moment(&self) -> Result<DatabaseTransaction, DbErr> {
        match self.dialect() {
            // There is no other writer.
            Dialect::Sqlite => self.begin().await,
            Dialect::Postgres => {
                let isolation_level = Some(IsolationLevel::RepeatableRead);
                self.connection
                    .begin(TransactionOptions { isolation_level, ..TransactionOptions::default() })
                    .await
            }
        }
    }

    /// Switches to a write-ahead log, so that readers and a writer are not in each other's way. The file keeps
    /// this, so it is done only when the file is known to be ours.
    pub(crate) async fn write_ahead(&self) -> Result<(), DbErr> {
        let switch = statement(&self.connection, "PRAGMA journal_mode = WAL", []);
        self.connection.query_one_raw(switch).await.map(|_| ())
    }

    /// Leaves no byte of what was deleted in any file, by writing the whole database again: where pages were split or
    /// joined, SQLite leaves what has moved away behind, also with `secure_delete`. Costs the size of the database.
    /// `false`: as for [`Database::fold`].
    pub(crate) async fn forget_deleted(&self) -> Result<bool, DbErr> {
        #[cfg(feature = "postgres")]
        if self.dialect() == Dialect::Postgres {
            return self.rewrite_tables().await;
        }
        self.rewrite().await.map_err(|error| DbErr::Exec(RuntimeErr::SqlxError(error.into())))
    }

    /// Writes the database again and folds the log, by one connection: a second one that is being opened would be in the way.
    async fn rewrite(&self) -> Result<bool, sqlx::Error> {
        let mut connection = self.connection.pool().get_sqlite_connection_pool().acquire().await?;
        // The copy that is made may be larger than the memory.
        connection.execute("PRAGMA temp_store = file").await?;
        let written = connection.execute("VACUUM").await;
        connection.execute("PRAGMA temp_store = memory").await?;
        let busy: i64 = sqlx::query_scalar(FOLD).fetch_one(&mut *connection).await?;
        written.map(|_| busy == 0)
    }

    /// Moves the write-ahead log into the database file and empties it. `false`: another program reads or writes at this
    /// moment; the next call, or the close of the last connection, does it.
    pub(crate) async fn fold(&self) -> Result<bool, DbErr> {
        if self.dialect() == Dialect::Postgres {
            // A server does it by itself.
            return Ok(true);
        }
        let row = self.connection.query_one_raw(statement(&self.connection, FOLD, [])).await?;
        let busy: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
        Ok(busy == 0)
    }

    /// A pragma's value, a whole number.
    pub(crate) async fn pragma(connection: &impl ConnectionTrait, name: &str) -> Result<i64, DbErr> {
        let row = connection.query_one_raw(statement(connection, format!("PRAGMA {name}"), [])).await?;
        row.map_or(Ok(0), |row| row.try_get_by_index(0))
    }
}

fn options(connections: u32) -> ConnectOptions {
    let mut options = ConnectOptions::new("sqlite:");
    // A connection is to a file of this machine: it need not be tested, and does not grow old.
    options
        .min_connections(1)
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(PATIENCE * 2)
        .test_before_acquire(false)
        .sqlx_logging(false);
    options
}

fn configured(sqlite: SqliteConnectOptions, durability: Durability) -> SqliteConnectOptions {
    // No memory map: a disk that fails under one kills the process, where a read only gives an error.
    sqlite
        .in_memory(false)
        .shared_cache(false)
        .create_if_missing(true)
        .pragma("synchronous", durability.synchronous())
        // Where `fsync` alone leaves bytes in the cache of the disk (macOS).
        .pragma("fullfsync", if durability == Durability::Full { "on" } else { "off" })
        .foreign_keys(true)
        // What is deleted leaves no byte in the file.
        .pragma("secure_delete", "on")
        .pragma("temp_store", "memory")
        .pragma("cache_size", "-16384")
}
