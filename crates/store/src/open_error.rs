//! Why a database cannot be opened.

use std::io;
use std::path::PathBuf;

use crate::database_error::DatabaseError;
use crate::server_url::ServerUrl;

/// Why the database cannot be opened. Every text names the file or the server and what helps.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be made or written.
    #[error(
        "{path} cannot be written: {source}; make the file and its folder writable or name another data folder"
    )]
    Unwritable {
        /// The database file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is empty or missing, and its write-ahead log is there: SQLite would delete that.
    #[error(
        "{path} is empty or missing, and {log} has records of it that would be deleted; move that file to a safe place, \
         then put {path} back from a backup, or begin with an empty database"
    )]
    Emptied {
        /// The database file.
        path: PathBuf,
        /// Its write-ahead log.
        log: PathBuf,
    },
    /// It is the database of another program.
    #[error("{path} is a database of another program; name another data folder")]
    Foreign {
        /// The database file.
        path: PathBuf,
    },
    /// A later version of this program has changed its tables.
    #[error(
        "{path} was made by a newer version (its tables are at {found}, this version knows {known}); install that one"
    )]
    TooNew {
        /// The database file.
        path: PathBuf,
        /// The version of its tables.
        found: i64,
        /// The version that this program knows.
        known: i64,
    },
    /// It cannot be read in place, and not be copied.
    #[error(
        "{path} cannot be read without writing to it, and could not be copied to a temporary file: {source}"
    )]
    Uncopied {
        /// The database file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// This program cannot use servers.
    #[error("{server}: this program was built without PostgreSQL; build it with the feature `postgres`")]
    NoServers {
        /// The server.
        server: ServerUrl,
    },
    /// This program has no database.
    #[error(
        "sessions cannot be stored in {path}: this program was built without a database; build it with the feature \
         `sqlite`, or bring a log of your own with `Builder::log`"
    )]
    NoDatabase {
        /// The data folder or the server.
        path: PathBuf,
    },
    /// The database cannot be used.
    #[error(transparent)]
    Database(DatabaseError),
}

impl OpenError {
    /// Returns true if the file or its folder cannot be written, while reading may work.
    #[must_use]
    pub fn is_unwritable(&self) -> bool {
        match self {
            Self::Unwritable { .. } => true,
            // SQLite cannot create its files in a folder that cannot be written.
            Self::Database(error) => {
                error.is_unwritable() || matches!(error, DatabaseError::Unreachable { .. })
            }
            _ => false,
        }
    }
}
