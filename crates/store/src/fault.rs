//! What SQLite's errors mean to a caller.

use std::error::Error;
use std::path::{Path, PathBuf};

use sea_orm::sqlx;
use sea_orm::{ConnAcquireErr, DbErr, RuntimeErr};

/// Why the database did not do what was asked. Every text names the file and what helps.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The disk is full.
    #[error("the disk is full, {path} cannot grow; make room and try again")]
    Full {
        /// The database file.
        path: PathBuf,
    },
    /// Nothing may be written.
    #[error("{path} is read-only; make the file and its folder writable")]
    ReadOnly {
        /// The database file.
        path: PathBuf,
    },
    /// Another program holds it for longer than we wait.
    #[error("{path} is locked by another program; close that one and try again")]
    Busy {
        /// The database file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error("{path} is not a database; move it away and a new one is made")]
    NotADatabase {
        /// The database file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("{path} is damaged; move it away, and recover what it holds with `sqlite3 … .recover`")]
    Corrupt {
        /// The database file.
        path: PathBuf,
    },
    /// The disk or the folder fails.
    #[error("{path} cannot be read or written; look at its folder and its disk")]
    Unreachable {
        /// The database file.
        path: PathBuf,
        /// SQLite's own words.
        source: Box<dyn Error + Send + Sync>,
    },
    /// Anything else.
    #[error("the database {path} failed")]
    Other {
        /// The database file.
        path: PathBuf,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl DatabaseError {
    /// Whether nothing can be written now, while reading may still work.
    #[must_use]
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Self::Full { .. } | Self::ReadOnly { .. })
    }

    /// Takes an error of the database at `path`.
    pub(crate) fn of(error: DbErr, path: &Path) -> Self {
        let path = path.to_path_buf();
        // The primary result code is the low byte (https://sqlite.org/rescode.html).
        match code(&error).map(|code| code & 0xff) {
            Some(5 | 6) => Self::Busy { path },
            Some(8) => Self::ReadOnly { path },
            Some(10 | 14) => Self::Unreachable { path, source: error.into() },
            Some(11) => Self::Corrupt { path },
            Some(13) => Self::Full { path },
            Some(26) => Self::NotADatabase { path },
            _ if matches!(error, DbErr::ConnectionAcquire(ConnAcquireErr::Timeout)) => Self::Busy { path },
            _ => Self::Other { path, source: error.into() },
        }
    }
}

/// Whether a row refers to a session that is not there (SQLITE_CONSTRAINT_FOREIGNKEY).
pub(crate) fn is_foreign_key(error: &DbErr) -> bool {
    code(error) == Some(787)
}

/// Whether a row is there already (SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE).
pub(crate) fn is_taken(error: &DbErr) -> bool {
    matches!(code(error), Some(1_555 | 2_067))
}

/// SQLite's extended result code.
fn code(error: &DbErr) -> Option<u32> {
    let (DbErr::Conn(cause) | DbErr::Exec(cause) | DbErr::Query(cause)) = error else {
        return None;
    };
    let RuntimeErr::SqlxError(cause) = cause else {
        return None;
    };
    let sqlx::Error::Database(cause) = cause.as_ref() else {
        return None;
    };
    cause.code()?.parse().ok()
}

#[cfg(test)]
mod tests;
