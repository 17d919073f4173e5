//! Why a call of a database failed.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use throughline_conversation::SessionId;

use crate::holder::Holder;
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
    /// What was deleted is gone, but bytes of it are left in the file.
    #[error(
        "what was deleted is shown by nothing any more, but its bytes are still in the database, which takes as much room again \
         on the disk and among temporary files to be written; the next deletion of a session removes them"
    )]
    BytesLeft(#[source] Box<Self>),
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
        let cause = if let Self::BytesLeft(cause) = self { cause.as_ref() } else { self };
        matches!(
            cause,
            Self::Full { .. }
                | Self::NoRoom { .. }
                | Self::Gone { .. }
                | Self::ReadOnly { .. }
                | Self::Standby { .. }
                | Self::TakenOver { .. }
                | Self::Elsewhere { .. }
        )
    }
}
