//! What the errors of a database mean to a caller.

use std::error::Error;
use std::io;
use std::path::Path;

use sea_orm::sqlx;
use sea_orm::{ConnAcquireErr, DbErr};

use crate::database_error::DatabaseError;
use crate::dialect::sqlstate::{
    DISK_FULL, FOREIGN_KEY, LOCK_NOT_AVAILABLE, UNIQUE, driver, is_broken, sqlstate,
};
use crate::no_room::no_room;

impl DatabaseError {
    /// Returns true if another program holds the database.
    pub(crate) fn is_busy(error: &DbErr) -> bool {
        matches!(primary(error), Some(5 | 6))
            || matches!(error, DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))
    }

    /// Returns true if a part of the database cannot be read while others may be: a damaged page, a disk that fails, or
    /// a column that is not what it must be.
    pub(crate) fn is_damage(error: &DbErr) -> bool {
        if let Some(code) = sqlstate(error) {
            return code.starts_with("XX00");
        }
        match primary(error) {
            Some(code) => matches!(code, 10 | 11 | 26),
            None => !matches!(error, DbErr::ConnectionAcquire(_)) && !is_broken(error),
        }
    }

    /// Takes an error of a database on a server, whose address without a password is `path`.
    pub(crate) fn of_server(error: DbErr, path: &Path) -> Self {
        let path = path.to_path_buf();
        let (code, is_away) = (sqlstate(&error), is_broken(&error) || is_unconnected(&error));
        let is_untrusted = is_untrusted(&error);
        let source = plain(error);
        match code.as_deref() {
            Some(DISK_FULL) => Self::Full { path },
            Some("25006") => Self::Standby { path },
            Some(LOCK_NOT_AVAILABLE) => Self::Busy { path },
            Some("3D000" | "42501") => Self::Denied { path, source },
            Some(code) if code.starts_with("28") => Self::Denied { path, source },
            _ if is_untrusted => Self::Untrusted { path, source },
            _ if is_away => Self::Away { path, source },
            _ => Self::Other { path, source },
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

/// Returns true if no connection could be made.
fn is_unconnected(error: &DbErr) -> bool {
    matches!(driver(error), Some(sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::PoolTimedOut))
}

/// Returns true if the certificate of the server was refused. The driver has no error of its own for it.
fn is_untrusted(error: &DbErr) -> bool {
    let Some(sqlx::Error::Io(cause)) = driver(error) else { return false };
    cause.kind() == io::ErrorKind::InvalidData && cause.to_string().contains("certificate")
}

/// The driver's error without what SeaORM puts before it.
fn plain(error: DbErr) -> Box<dyn Error + Send + Sync> {
    let unanswered = "it does not answer";
    match driver(&error) {
        Some(sqlx::Error::Database(cause)) => cause.message().into(),
        Some(sqlx::Error::Io(cause)) => cause.to_string().into(),
        Some(sqlx::Error::PoolTimedOut) => unanswered.into(),
        Some(cause) => cause.to_string().into(),
        None if matches!(error, DbErr::ConnectionAcquire(_)) => unanswered.into(),
        None => error.into(),
    }
}

/// The primary result code is the low byte (https://sqlite.org/rescode.html).
fn primary(error: &DbErr) -> Option<u32> {
    code(error).map(|code| code & 0xff)
}

/// Returns true if a row refers to a missing session (SQLITE_CONSTRAINT_FOREIGNKEY).
pub(crate) fn is_foreign_key(error: &DbErr) -> bool {
    sqlstate(error).map_or_else(|| code(error) == Some(787), |code| code == FOREIGN_KEY)
}

/// Returns true if a row exists already (SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE).
pub(crate) fn is_taken(error: &DbErr) -> bool {
    sqlstate(error).map_or_else(|| matches!(code(error), Some(1_555 | 2_067)), |code| code == UNIQUE)
}

/// Returns true if SQLite refused a value by a constraint of its table.
pub(crate) fn is_constraint(error: &DbErr) -> bool {
    const CONSTRAINT: u32 = 19;
    primary(error) == Some(CONSTRAINT)
}

/// Returns true if SQLite found no room for what it writes.
pub(crate) fn is_full(error: &DbErr) -> bool {
    const FULL: u32 = 13;
    primary(error) == Some(FULL)
}

/// SQLite's extended result code.
fn code(error: &DbErr) -> Option<u32> {
    let sqlx::Error::Database(cause) = driver(error)? else { return None };
    cause.code().filter(|_| sqlstate(error).is_none())?.parse().ok()
}

#[cfg(test)]
mod tests;
