//! Why a value is not encrypted or not decrypted.

use std::path::PathBuf;

use crate::database_error::DatabaseError;
use crate::encryption_key::KeyId;

/// Why a value is not encrypted or not decrypted. Every text names the file and what helps.
#[derive(Debug, thiserror::Error)]
pub enum EncryptionError {
    /// No key is named.
    #[error(
        "{path} is encrypted with key {key}, and no key is set: set encryption.key_file or encryption.key_command"
    )]
    NoKey {
        /// The database file.
        path: PathBuf,
        /// The key that it needs.
        key: KeyId,
    },
    /// Another key is named.
    #[error(
        "{path} is encrypted with key {key}, and the key that is set is {own}: set encryption.key_file or \
         encryption.key_command to the right one"
    )]
    OtherKey {
        /// The database file.
        path: PathBuf,
        /// The key that it needs.
        key: KeyId,
        /// The key that is named.
        own: KeyId,
    },
    /// The value is not what was encrypted for its place.
    #[error(
        "{path}: a value of {table} in session {session} is encrypted with key {key} and cannot be decrypted with it: \
         its bytes were changed or moved"
    )]
    Altered {
        /// The database file.
        path: PathBuf,
        /// The table that it is in.
        table: &'static str,
        /// The session that it belongs to.
        session: String,
        /// Its key.
        key: KeyId,
    },
    /// The value has a form that this version does not know.
    #[error(
        "{path}: a value of {table} in session {session} is encrypted in a way that this version does not know, or is \
         damaged"
    )]
    UnknownForm {
        /// The database file.
        path: PathBuf,
        /// The table that it is in.
        table: &'static str,
        /// The session that it belongs to.
        session: String,
    },
    /// The system gives no random bytes, or the value is larger than the cipher takes.
    #[error("a value for {path} could not be encrypted")]
    Unsealed {
        /// The database file.
        path: PathBuf,
    },
    /// The database failed.
    #[error(transparent)]
    Database(#[from] DatabaseError),
}
