//! Why something was not copied.

use throughline_conversation::SessionId;

use crate::database_error::DatabaseError;
use crate::encryption_error::EncryptionError;
use crate::encryption_key::KeyId;
use crate::object_error::ObjectError;

/// Why a session or the memos were not copied. The other database has only what was reported as copied.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// There is no such session.
    #[error("there is no session {0}")]
    NoSession(SessionId),
    /// The other database has another session of this name.
    #[error("{to} has another session {session}: delete one of them")]
    Taken {
        /// The session.
        session: SessionId,
        /// The other database.
        to: String,
    },
    /// The other database has the session, and more of it.
    #[error(
        "session {session} has continued in {to}: {more} more records are there, so nothing is to be added"
    )]
    Longer {
        /// The session.
        session: SessionId,
        /// The other database.
        to: String,
        /// Records.
        more: u64,
    },
    /// The session was changed in both databases.
    #[error(
        "session {session} has continued in both places since record {common}: the copy in {to} stays; delete one of them, or continue both by a fork"
    )]
    Diverged {
        /// The session.
        session: SessionId,
        /// The other database.
        to: String,
        /// The last record that is the same.
        common: i64,
    },
    /// A text in the session is damaged.
    #[error(
        "session {session} is damaged: a value of {table} is no text; save what can be read with `throughline recover`"
    )]
    Damaged {
        /// The session.
        session: SessionId,
        /// The table.
        table: &'static str,
    },
    /// The copy is not what was copied. It was removed again.
    #[error("the copy of session {session} in {to} differs from the original, and was removed again")]
    Differs {
        /// The session.
        session: SessionId,
        /// The other database.
        to: String,
    },
    /// An object in the object store of the other database was removed while the session was copied.
    #[error(
        "an object of session {session} in the object store of {to} was removed while the session was copied, and nothing was written: copy it again"
    )]
    ObjectGone {
        /// The session.
        session: SessionId,
        /// The other database.
        to: String,
    },
    /// The databases are encrypted with different keys.
    #[error(
        "{to} is encrypted with key {other}, and the sessions with key {own}: values are copied unchanged"
    )]
    OtherKey {
        /// The other database.
        to: String,
        /// Its key.
        other: KeyId,
        /// The key of what is copied.
        own: KeyId,
    },
    /// A content in an object store cannot be read.
    #[error(transparent)]
    Object(#[from] ObjectError),
    /// The id of a key cannot be read.
    #[error(transparent)]
    Encryption(#[from] EncryptionError),
    /// A database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}
