//! What the errors of a database mean to a caller.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use sea_orm::sqlx;
use sea_orm::{ConnAcquireErr, DbErr};
use throughline_conversation::SessionId;

use crate::dialect::sqlstate::{
    DISK_FULL, FOREIGN_KEY, LOCK_NOT_AVAILABLE, UNIQUE, driver, is_broken, sqlstate,
};
use crate::holder::Holder;
use crate::no_room::no_room;
use crate::object_error::ObjectError;

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
    /// The server cannot be reached, or ended the connection.
    #[error(
        "{path} cannot be reached: {source}; see that the server runs and that its address is right, then try again"
    )]
    Away {
        /// The address of the server.
        path: PathBuf,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The certificate of the server is not one that the address asks for.
    #[error(
        "the certificate of {path} is not accepted: {source}; name the file of its authority with sslrootcert in the address, and \
         the host as the certificate does, or see sslmode"
    )]
    Untrusted {
        /// The address of the server.
        path: PathBuf,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A file of certificates or keys cannot be read.
    #[error("{file} cannot be read, which is {parameter} of the address {path}: {source}")]
    CertificateFile {
        /// The address of the server.
        path: PathBuf,
        /// The parameter that names the file.
        parameter: &'static str,
        /// The file.
        file: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The server does not let this user in, or not do this.
    #[error("{path} refuses: {source}; see the user, the password and its rights on the server")]
    Denied {
        /// The address of the server.
        path: PathBuf,
        /// What the server says.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The server takes no writes.
    #[error("{path} takes no writes: it is a standby or set to read-only; name the primary server")]
    Standby {
        /// The address of the server.
        path: PathBuf,
    },
    /// Another process has taken over a session that this one had locked and did not renew in time. This one can write it no
    /// longer.
    #[error(
        "session {session} was taken over{}, because this process did not answer for a while; what it has not stored yet is \
         not stored: open the session again", by.as_ref().map_or_else(String::new, |by| format!(" by another process ({by})"))
    )]
    TakenOver {
        /// The session.
        session: SessionId,
        /// Who has it now; `None`: it has been closed again.
        by: Option<Box<Holder>>,
    },
    /// Another process has the session open, and this one has not locked it.
    #[error("session {session} is open in another process ({by}); close it there first")]
    Elsewhere {
        /// The session.
        session: SessionId,
        /// Who has it.
        by: Box<Holder>,
    },
    /// What was deleted is gone from the database, and not from the object store.
    #[error(transparent)]
    ObjectsLeft(#[from] ObjectError),
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
        matches!(
            self,
            Self::Full { .. }
                | Self::NoRoom { .. }
                | Self::Gone { .. }
                | Self::ReadOnly { .. }
                | Self::Standby { .. }
                | Self::TakenOver { .. }
                | Self::Elsewhere { .. }
        )
    }

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

/// SQLite's extended result code.
fn code(error: &DbErr) -> Option<u32> {
    let sqlx::Error::Database(cause) = driver(error)? else { return None };
    cause.code().filter(|_| sqlstate(error).is_none())?.parse().ok()
}

#[cfg(test)]
mod tests;
