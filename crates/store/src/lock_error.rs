//! Why a session cannot be locked.

use std::io;
use std::path::{Path, PathBuf};

use throughline_conversation::SessionId;

use crate::database_error::DatabaseError;
use crate::holder::Holder;
use crate::no_room_error::is_no_room;

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
    #[error("the lock file {path} cannot be used: {source}; {}", remedy(source))]
    Unusable {
        /// The lock file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

fn remedy(source: &io::Error) -> &'static str {
    if is_no_room(source) {
        "make room and try again"
    } else {
        "make its folder writable or name another data folder"
    }
}

fn holder_text(holder: Option<&Holder>, path: &Path) -> String {
    holder.map_or_else(|| format!("lock file {}", path.display()), ToString::to_string)
}
