//! A session that begins as a copy of another.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};
use throughline_continuity::{DirectoryError, SessionInfo};
use throughline_conversation::SessionId;

use crate::database::Database;
use crate::dialect::{Dialect, statement};
use crate::encryption::EncryptionError;
use crate::fault::is_taken;
use crate::result_repository::row_name;
use crate::sealed::{MAGIC, Stored, stored};
use crate::store::Store;

const SESSION: &str = "INSERT INTO sessions (id, title, workspace, model, created_at) VALUES (?, ?, ?, ?, ?)";
const LOG: &str = "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload) \
                   SELECT ?, seq, kind, exchange, at, digest, payload FROM log WHERE session_id = ? ORDER BY seq";
const END: &str =
    "UPDATE sessions SET last_seq = (SELECT last_seq FROM sessions WHERE id = ?2) WHERE id = ?1";
const RESULTS: &str = "INSERT INTO tool_result_blobs (id, session_id, tool_name, content, byte_size, created_at) \
                       SELECT id, ?, tool_name, content, byte_size, created_at FROM tool_result_blobs \
                       WHERE session_id = ?";
const SEALED: &str = "SELECT id FROM tool_result_blobs WHERE session_id = ? AND substr(content, 1, ?) = ?";
const CONTENT: &str = "SELECT content FROM tool_result_blobs WHERE session_id = ? AND id = ?";
const REPLACE: &str = "UPDATE tool_result_blobs SET content = ? WHERE session_id = ? AND id = ?";

/// Why there is no copy.
enum CopyError {
    Database(DbErr),
    Encryption(EncryptionError),
}

impl From<DbErr> for CopyError {
    fn from(error: DbErr) -> Self {
        Self::Database(error)
    }
}

impl Store {
    /// Makes a session that begins as a copy of the current state of another one: its log, so that the documents and every id in
    /// it hold, and its stored results, so that every reference can be read. Another process may be writing the old one;
    /// the copy ends with what it has written. There is no snapshot yet: the first open reads the log.
    ///
    /// # Errors
    /// [`DirectoryError`]: the new id is taken, a stored result cannot be decrypted, or the disk fails. Then there is no new session.
    pub async fn fork(&self, from: &SessionId, to: &SessionInfo) -> Result<(), DirectoryError> {
        let database = self.database();
        match copy(database, from, to).await {
            Ok(()) => Ok(()),
            Err(CopyError::Encryption(error)) => Err(DirectoryError::Other(error.into())),
            Err(CopyError::Database(error)) if is_taken(&error) => Err(DirectoryError::Exists(to.id.clone())),
            Err(CopyError::Database(error)) => {
                let fault = database.fault(error);
                let full = fault.is_unwritable();
                Err(if full {
                    DirectoryError::Full(fault.to_string())
                } else {
                    DirectoryError::Other(fault.into())
                })
            }
        }
    }
}

/// All or nothing, from one moment of the old session.
async fn copy(database: &Database, from: &SessionId, to: &SessionInfo) -> Result<(), CopyError> {
    let transaction = database.begin_of_one_moment().await?;
    let session: [Value; 5] = [
        to.id.as_str().into(),
        to.title.as_str().into(),
        to.workspace.as_str().into(),
        to.model.as_str().into(),
        to.created.0.into(),
    ];
    transaction.execute_raw(statement(&transaction, SESSION, session)).await?;
    both(&transaction, LOG, to, from).await?;
    both(&transaction, RESULTS, to, from).await?;
    if database.dialect() == Dialect::Postgres {
        // A file's tables do it by themselves.
        both(&transaction, END, to, from).await?;
    }
    encrypt_again(database, &transaction, to, from).await?;
    Ok(transaction.commit().await?)
}

/// An encrypted result is bound to its session, so that of the copy is encrypted for the new one.
async fn encrypt_again(
    database: &Database,
    transaction: &DatabaseTransaction,
    to: &SessionInfo,
    from: &SessionId,
) -> Result<(), CopyError> {
    let sealed: [Value; 3] = [from.as_str().into(), (MAGIC.len() as i32).into(), MAGIC.to_vec().into()];
    for row in transaction.query_all_raw(statement(transaction, SEALED, sealed)).await? {
        let id: String = row.try_get_by_index(0)?;
        let name: [Value; 2] = [from.as_str().into(), id.as_str().into()];
        let Some(row) = transaction.query_one_raw(statement(transaction, CONTENT, name)).await? else {
            continue;
        };
        let content: Vec<u8> = row.try_get_by_index(0)?;
        let Ok(Stored::Encrypted(old)) = stored(&content) else { continue };
        let key = database.key(old.key).map_err(CopyError::Encryption)?;
        let plain = database.decrypt(row_name(from.as_str(), &id), &old).map_err(CopyError::Encryption)?;
        let new = database.seal_with(key, row_name(to.id.as_str(), &id), &plain);
        let new = new.map_err(CopyError::Encryption)?;
        let values: [Value; 3] = [new.into(), to.id.as_str().into(), id.as_str().into()];
        transaction.execute_raw(statement(transaction, REPLACE, values)).await?;
    }
    Ok(())
}

async fn both(
    transaction: &DatabaseTransaction,
    sql: &str,
    to: &SessionInfo,
    from: &SessionId,
) -> Result<(), DbErr> {
    let names: [Value; 2] = [to.id.as_str().into(), from.as_str().into()];
    transaction.execute_raw(statement(transaction, sql, names)).await.map(|_| ())
}
