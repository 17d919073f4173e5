//! Why a content that is in an object store cannot be read or removed.

use throughline_resultstore::BlobError;

/// Why a content that is in an object store cannot be read or removed. Every text names the object and what helps.
#[derive(Debug, thiserror::Error)]
pub enum ObjectError {
    /// No object store is set.
    #[error(
        "result {id} of session {session} is in an object store, as {address}, and none is set: set storage.blobs to \
         the place that has it"
    )]
    NotSet {
        /// The session.
        session: String,
        /// The result.
        id: String,
        /// The object.
        address: String,
    },
    /// The place does not have it.
    #[error(
        "result {id} of session {session} is not in {place}: it was stored as {address}; bring that object back, or set \
         storage.blobs to the place that has it"
    )]
    Missing {
        /// The session.
        session: String,
        /// The result.
        id: String,
        /// The object.
        address: String,
        /// The place that was looked at.
        place: String,
    },
    /// The object has other bytes than were written.
    #[error(
        "result {id} of session {session} is damaged: the object {address} has other bytes than were written; bring it \
         back from a backup or an earlier version"
    )]
    Damaged {
        /// The session.
        session: String,
        /// The result.
        id: String,
        /// The object.
        address: String,
    },
    /// The object store failed.
    #[error("result {id} of session {session} could not be read from {address}")]
    Unread {
        /// The session.
        session: String,
        /// The result.
        id: String,
        /// The object.
        address: String,
        /// Why.
        source: BlobError,
    },
    /// It could not be encrypted for another session.
    #[error(
        "result {id} of session {session} is encrypted in an object store, as {address}, and could not be written there for \
         another session: the object store failed; try again"
    )]
    NotCopied {
        /// The session.
        session: String,
        /// The result.
        id: String,
        /// The object.
        address: String,
    },
    /// Objects of deleted results are still there.
    #[error(
        "what was deleted is gone from the database, but the object {address} is still in the object store; it is removed with \
         the next deletion: {why}"
    )]
    Left {
        /// The first of them.
        address: String,
        /// Why.
        why: String,
    },
}
