//! Why a session cannot be locked.

use std::io;
use std::path::{Path, PathBuf};

use throughline_conversation::SessionId;

use crate::database_error::DatabaseError;
use crate::holder::Holder;

/// Why a session cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has the session open.
    #[error("session {session} is open in another process ({}); close it there first", holder_text(holder.as_deref(), path))]
    Held {
        /// The session.
        session: SessionId,
        /// Who has it; `None` when the lock file does not say.
        holder: Option<Box<Holder>>,
        /// The lock file, or the database on a server.
        path: PathBuf,
    },
    /// The server cannot be asked.
    #[error(transparent)]
    Server(Box<DatabaseError>),
    /// The lock file cannot be used.
    #[error(
        "the lock file {path} cannot be used: {source}; make its folder writable or name another data folder"
    )]
    Unusable {
        /// The lock file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

fn holder_text(holder: Option<&Holder>, path: &Path) -> String {
    holder.map_or_else(|| format!("lock file {}", path.display()), ToString::to_string)
}
