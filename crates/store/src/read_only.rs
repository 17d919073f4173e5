//! Reading a database that cannot be written: a backup, a read-only mount, another user's folder.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use tempfile::TempDir;

use crate::database::{Database, Source};
use crate::database_error::DatabaseError;
use crate::migration;
use crate::open_error::OpenError;
use crate::store::Store;

impl Store {
    /// Opens a database file to read it. Every write fails with [`DatabaseError::ReadOnly`], and nothing is created next to
    /// the file.
    ///
    /// A file whose tables are of an earlier version, or whose newest records are in a write-ahead log that SQLite cannot
    /// open without writing, is read from a copy among the temporary files; that costs the size of the file. The copy is
    /// removed with the last clone.
    ///
    /// # Errors
    /// [`OpenError`], which says what helps.
    pub async fn open_read_only(path: &Path) -> Result<Self, OpenError> {
        check_not_emptied(path)?;
        let in_place = if has_write_ahead_log(path) { Source::ReadOnly } else { Source::Immutable };
        if let Some(database) = readable(Database::read(path, in_place, path).await).await {
            return Ok(Self::of(database));
        }
        let copy = copy(path).map_err(|source| OpenError::Uncopied { path: path.to_path_buf(), source })?;
        let file = copy.path().join(COPY);
        let folded = Database::read(&file, Source::Writable, path).await.map_err(OpenError::Database)?;
        let fault = |error| DatabaseError::of(error, path);
        let tables = migration::migrate(&folded).await.map_err(|error| OpenError::Database(fault(error)))?;
        tables.known(path)?;
        folded.connection.pool().close_by_ref().await.map_err(|error| OpenError::Database(fault(error)))?;
        let mut database =
            Database::read(&file, Source::ReadOnly, path).await.map_err(OpenError::Database)?;
        database.copy = Some(copy);
        Ok(Self::of(database))
    }

    pub(crate) fn of(database: Database) -> Self {
        Self { database: Arc::new(database) }
    }
}

const COPY: &str = "copy.db";

/// The database, if it can be read and has the tables that this version knows.
async fn readable(opened: Result<Database, DatabaseError>) -> Option<Database> {
    let database = opened.ok()?;
    migration::is_current(&database).await.unwrap_or(false).then_some(database)
}

/// The write-ahead log of a database.
fn write_ahead_log(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

/// Returns true if records may be outside the database file. SQLite removes the log when the last program closes the
/// database.
fn has_write_ahead_log(path: &Path) -> bool {
    fs::metadata(write_ahead_log(path)).is_ok_and(|log| log.len() > 0)
}

/// Fails if a write-ahead log is all that is left of the database.
pub(crate) fn check_not_emptied(path: &Path) -> Result<(), OpenError> {
    let is_empty = fs::metadata(path).map_or(true, |file| file.len() == 0);
    if is_empty && has_write_ahead_log(path) {
        return Err(OpenError::Emptied { path: path.to_path_buf(), log: write_ahead_log(path) });
    }
    Ok(())
}

/// Copies a database and its write-ahead log into a private folder.
fn copy(path: &Path) -> io::Result<TempDir> {
    let folder = TempDir::new()?;
    let log = write_ahead_log(path);
    let before = states(path, &log);
    let into = folder.path().join(COPY);
    copy_bytes(path, &into)?;
    if log.exists() {
        copy_bytes(&log, &write_ahead_log(&into))?;
    }
    if states(path, &log) != before {
        return Err(io::Error::other("another program has written to it meanwhile"));
    }
    Ok(folder)
}

/// Copies the bytes of a file, and not its mode: the copy must be writable.
fn copy_bytes(from: &Path, to: &Path) -> io::Result<u64> {
    io::copy(&mut File::open(from)?, &mut File::create_new(to)?)
}

fn states(path: &Path, log: &Path) -> [Option<(u64, SystemTime)>; 2] {
    let state =
        |file: &Path| file.metadata().ok().and_then(|found| Some((found.len(), found.modified().ok()?)));
    [state(path), state(log)]
}
