//! What SQLite's errors mean to a caller.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use sea_orm::sqlx;
use sea_orm::{ConnAcquireErr, DbErr, RuntimeErr};

use crate::no_room::no_room;

/// Why a call of the database failed. Every text names the file and what helps.
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
    /// It cannot grow: a quota or a limit on the size of files, or a disk whose error SQLite reports as another one.
    #[error("{path} cannot grow: {source}; make room or raise the limit and try again")]
    NoRoom {
        /// The database file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file is not at its place any more. What was written since then is in no file that can be opened.
    #[error(
        "{path} was removed, moved or replaced while it was in use; nothing written since then is saved there"
    )]
    Gone {
        /// The place of the database file.
        path: PathBuf,
    },
    /// Another program holds it for longer than we wait.
    #[error("{path} is locked by another program; close that one and try again")]
    Busy {
        /// The database file.
        path: PathBuf,
    },
    /// The file is something else.
    #[error(
        "{path} is not a database; move it away and a new one is made, or save what can be read of it: throughline recover --all"
    )]
    NotADatabase {
        /// The database file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("{path} is damaged; save what can be read of it into a new database: throughline recover --all")]
    Corrupt {
        /// The database file.
        path: PathBuf,
    },
    /// The disk or the folder fails.
    #[error("{path} cannot be read or written; look at its folder and its disk")]
    Unreachable {
        /// The database file.
        path: PathBuf,
        /// SQLite's message.
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
    /// Returns true if nothing can be written now, while reading may still work.
    #[must_use]
    pub fn is_unwritable(&self) -> bool {
        matches!(self, Self::Full { .. } | Self::NoRoom { .. } | Self::Gone { .. } | Self::ReadOnly { .. })
    }

    /// Returns true if another program holds the database.
    pub(crate) fn is_busy(error: &DbErr) -> bool {
        matches!(primary(error), Some(5 | 6))
            || matches!(error, DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))
    }

    /// Returns true if a part of the database cannot be read while others may be: a damaged page, a disk that fails, or
    /// a column that is not what it must be.
    pub(crate) fn is_damage(error: &DbErr) -> bool {
        match primary(error) {
            Some(code) => matches!(code, 10 | 11 | 26),
            None => !matches!(error, DbErr::ConnectionAcquire(_)),
        }
    }

    /// Takes an error of the database at `path`.
    pub(crate) fn of(error: DbErr, path: &Path) -> Self {
        let path = path.to_path_buf();
        if Self::is_busy(&error) {
            return Self::Busy { path };
        }
        match primary(&error) {
            Some(8) => Self::ReadOnly { path },
            Some(10 | 14) => match no_room(&path) {
                Some(source) => Self::NoRoom { path, source },
                None => Self::Unreachable { path, source: error.into() },
            },
            Some(11) => Self::Corrupt { path },
            Some(13) => Self::Full { path },
            Some(26) => Self::NotADatabase { path },
            _ => Self::Other { path, source: error.into() },
        }
    }
}

/// The primary result code is the low byte (https://sqlite.org/rescode.html).
fn primary(error: &DbErr) -> Option<u32> {
    code(error).map(|code| code & 0xff)
}

/// Returns true if a row refers to a missing session (SQLITE_CONSTRAINT_FOREIGNKEY).
pub(crate) fn is_foreign_key(error: &DbErr) -> bool {
    code(error) == Some(787)
}

/// Returns true if a row exists already (SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE).
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
