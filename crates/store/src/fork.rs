//! A session that begins as a copy of another.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};
use throughline_continuity::{DirectoryError, SessionInfo};
use throughline_conversation::SessionId;

use crate::database::Database;
use crate::dialect::{Dialect, statement};
use crate::encryption_error::EncryptionError;
use crate::fault::is_taken;
use crate::object_error::ObjectError;
use crate::objects::{Address, Put};
use crate::result_repository::row_name;
use crate::sealed::{MAGIC, Stored, stored};
use crate::store::Store;

const SESSION: &str = "INSERT INTO sessions (id, title, workspace, model, created_at) VALUES (?, ?, ?, ?, ?)";
const LOG: &str = "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload) \
                   SELECT ?, seq, kind, exchange, at, digest, payload FROM log WHERE session_id = ? ORDER BY seq";
const END: &str =
    "UPDATE sessions SET last_seq = (SELECT last_seq FROM sessions WHERE id = ?2) WHERE id = ?1";
const RESULTS: &str = "INSERT INTO tool_result_blobs (id, session_id, tool_name, content, byte_size, created_at, object) \
     SELECT id, ?, tool_name, content, byte_size, created_at, object FROM tool_result_blobs WHERE session_id = ?";
/// No other process deletes these rows, and so their objects, before the transaction ends.
const HOLD: &str =
    "SELECT id FROM tool_result_blobs WHERE session_id = ? AND object IS NOT NULL FOR KEY SHARE";
const OBJECTS: &str =
    "SELECT id, object FROM tool_result_blobs WHERE session_id = ? AND object IS NOT NULL ORDER BY id";
const OWN_OBJECT: &str =
    "UPDATE tool_result_blobs SET object = ? WHERE session_id = ? AND id = ? AND object = ?";
const SEALED: &str = "SELECT id FROM tool_result_blobs WHERE session_id = ? AND substr(content, 1, ?) = ?";
const CONTENT: &str = "SELECT content FROM tool_result_blobs WHERE session_id = ? AND id = ?";
const REPLACE: &str = "UPDATE tool_result_blobs SET content = ? WHERE session_id = ? AND id = ?";

/// Why there is no copy.
enum CopyError {
    Database(DbErr),
    Encryption(EncryptionError),
    Object(ObjectError),
}

/// An object of the old session that is encrypted for it, and the one that has the same content for the new session.
struct Encrypted {
    id: String,
    old: Address,
    new: Put,
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
            Err(CopyError::Object(error)) => Err(DirectoryError::Other(error.into())),
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

/// All or nothing, from one moment of the old session. Objects that must be encrypted again are written before: a database
/// file has one writer at a time, which does not wait for a network.
async fn copy(database: &Database, from: &SessionId, to: &SessionInfo) -> Result<(), CopyError> {
    let mut encrypted = Vec::new();
    let copied = match encrypt_objects(database, from, to, &mut encrypted).await {
        Ok(()) => copy_rows(database, from, to, &encrypted).await,
        Err(error) => Err(error),
    };
    if copied.is_err() {
        for address in encrypted.iter().filter_map(|one| one.new.address()) {
            database.abandon(address).await;
        }
    }
    copied
}

async fn copy_rows(
    database: &Database,
    from: &SessionId,
    to: &SessionInfo,
    encrypted: &[Encrypted],
) -> Result<(), CopyError> {
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
    if database.dialect() == Dialect::Postgres {
        transaction.query_all_raw(statement(&transaction, HOLD, [from.as_str().into()])).await?;
    }
    both(&transaction, RESULTS, to, from).await?;
    if database.dialect() == Dialect::Postgres {
        // A file's tables do it by themselves.
        both(&transaction, END, to, from).await?;
    }
    encrypt_again(database, &transaction, to, from).await?;
    for one in encrypted {
        let Some(new) = one.new.address() else { continue };
        let values: [Value; 4] =
            [new.as_str().into(), to.id.as_str().into(), one.id.as_str().into(), one.old.as_str().into()];
        transaction.execute_raw(statement(&transaction, OWN_OBJECT, values)).await?;
        if !database.take_object(&transaction, &one.new).await? {
            return Err(DbErr::Custom(format!("the new object {new} was removed; fork again")).into());
        }
    }
    Ok(transaction.commit().await?)
}

/// Writes the encrypted objects of a session for the new one. One that is missing or damaged stays shared: reading it fails in
/// both sessions.
async fn encrypt_objects(
    database: &Database,
    from: &SessionId,
    to: &SessionInfo,
    encrypted: &mut Vec<Encrypted>,
) -> Result<(), CopyError> {
    if database.recorded_key().await.map_err(CopyError::Encryption)?.is_none() {
        return Ok(());
    }
    let objects = statement(&database.connection, OBJECTS, [from.as_str().into()]);
    for row in database.connection.query_all_raw(objects).await? {
        let (id, object): (String, String) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
        let content = match database.content(from.as_str(), &id, Vec::new(), Some(object.clone())).await {
            Ok(content) => content,
            Err(error @ (ObjectError::Missing { .. } | ObjectError::Damaged { .. })) => {
                tracing::warn!(%error, "a fork has a result that cannot be read");
                continue;
            }
            Err(error) => return Err(CopyError::Object(error)),
        };
        let Some(new) = encrypted_for(database, from, to, &id, &content)? else { continue };
        let Some(blobs) = database.blobs.get() else { continue };
        let new = database.put_object(blobs, &new).await?;
        if new.address().is_none() {
            let address = object;
            return Err(CopyError::Object(ObjectError::NotCopied { session: from.to_string(), id, address }));
        }
        encrypted.push(Encrypted { id, old: Address::stored(object), new });
    }
    Ok(())
}

/// An encrypted content for the new session. `None`: it is not encrypted.
fn encrypted_for(
    database: &Database,
    from: &SessionId,
    to: &SessionInfo,
    id: &str,
    content: &[u8],
) -> Result<Option<Vec<u8>>, CopyError> {
    let Ok(Stored::Encrypted(old)) = stored(content) else { return Ok(None) };
    let key = database.key(old.key).map_err(CopyError::Encryption)?;
    let plain = database.decrypt(row_name(from.as_str(), id), &old).map_err(CopyError::Encryption)?;
    let new = database.seal_with(key, row_name(to.id.as_str(), id), &plain);
    new.map(Some).map_err(CopyError::Encryption)
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
        let Some(new) = encrypted_for(database, from, to, &id, &content)? else { continue };
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
