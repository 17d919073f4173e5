//! A session that begins as a copy of another.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};
use throughline_continuity::{DirectoryError, SessionInfo};
use throughline_conversation::SessionId;

use crate::database::{Database, statement};
use crate::fault::is_taken;
use crate::store::Store;

const SESSION: &str = "INSERT INTO sessions (id, title, workspace, model, created_at) VALUES (?, ?, ?, ?, ?)";
const LOG: &str = "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload) \
                   SELECT ?, seq, kind, exchange, at, digest, payload FROM log WHERE session_id = ? ORDER BY seq";
const RESULTS: &str = "INSERT INTO tool_result_blobs (id, session_id, tool_name, content, byte_size, created_at) \
                       SELECT id, ?, tool_name, content, byte_size, created_at FROM tool_result_blobs \
                       WHERE session_id = ?";

impl Store {
    /// Makes a session that begins as a copy of the current state of another one: its log, so that the documents and every id in
    /// it hold, and its stored results, so that every reference can be read. Another process may be writing the old one;
    /// the copy ends with what it has written. There is no snapshot yet: the first open reads the log.
    ///
    /// # Errors
    /// [`DirectoryError`]: the new id is taken, or the disk fails. Then there is no new session.
    pub async fn fork(&self, from: &SessionId, to: &SessionInfo) -> Result<(), DirectoryError> {
        let database = self.database();
        match copy(database, from, to).await {
            Ok(()) => Ok(()),
            Err(error) if is_taken(&error) => Err(DirectoryError::Exists(to.id.clone())),
            Err(error) => {
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
async fn copy(database: &Database, from: &SessionId, to: &SessionInfo) -> Result<(), DbErr> {
    let transaction = database.begin().await?;
    let session: [Value; 5] = [
        to.id.as_str().into(),
        to.title.as_str().into(),
        to.workspace.as_str().into(),
        to.model.as_str().into(),
        to.created.0.into(),
    ];
    transaction.execute_raw(statement(SESSION, session)).await?;
    both(&transaction, LOG, to, from).await?;
    both(&transaction, RESULTS, to, from).await?;
    transaction.commit().await
}

async fn both(
    transaction: &DatabaseTransaction,
    sql: &str,
    to: &SessionInfo,
    from: &SessionId,
) -> Result<(), DbErr> {
    let names: [Value; 2] = [to.id.as_str().into(), from.as_str().into()];
    transaction.execute_raw(statement(sql, names)).await.map(|_| ())
}
