//! Deleting content permanently.
//!
//! SQLite leaves what was deleted in free pages, in the gaps of pages that were split, and in the write-ahead log.
//! `secure_delete` overwrites most of it with zeros, writing the database again leaves the rest behind, and a checkpoint
//! that truncates empties the write-ahead log. On a server the tables are written again; its write-ahead log, its standbys
//! and its backups are its administrator's.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, Value};
use throughline_conversation::{Seq, SessionId};

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::statement;
use crate::link::Conflict;
use crate::object_error::ObjectError;
use crate::row::Row;

const REPLACE: &str = "UPDATE log SET kind = ?, exchange = ?, at = ?, digest = ?, payload = ? \
                       WHERE session_id = ? AND seq = ?";

/// Why nothing, or not enough, was deleted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RedactError {
    /// There is no row in this place. Nothing has changed.
    #[error("there is no record {}", .0.0)]
    Missing(Seq),
    /// Nothing has changed.
    #[error("the records could not be replaced")]
    Database(#[from] DbErr),
    /// Another process has the session. Nothing has changed.
    #[error(transparent)]
    Lease(#[from] DatabaseError),
    /// The rows are replaced, but bytes of the old ones are left.
    #[error(
        "it is deleted and shown by nothing any more, but its bytes are still in the file: the database could not be \
         written again, which takes as much room on the disk and among temporary files; make room and delete it again"
    )]
    Left(#[source] DbErr),
    /// The rows are replaced, but objects of deleted results are left in the object store.
    #[error(transparent)]
    ObjectsLeft(#[from] ObjectError),
    /// The rows are replaced, but bytes of the old ones are left in the write-ahead log.
    #[error(
        "it is deleted and no longer shown, but another program has the database open, so the write-ahead log may still \
         hold deleted bytes; delete it again"
    )]
    InUse,
}

impl Conflict for RedactError {
    fn database(&self) -> Option<&DbErr> {
        if let Self::Database(error) = self { Some(error) } else { None }
    }
}

/// Replaces rows by others, all or none.
pub(crate) async fn redact(
    database: &Database,
    session: &SessionId,
    rows: &[Row],
) -> Result<(), RedactError> {
    database.connection.repeat(|| replace(database, session, rows)).await?;
    match database.forget_deleted().await {
        Ok(true) => Ok(database.remove_loose_objects().await?),
        Ok(false) => Err(RedactError::InUse),
        Err(error) => Err(RedactError::Left(error)),
    }
}

async fn replace(database: &Database, session: &SessionId, rows: &[Row]) -> Result<(), RedactError> {
    let transaction = database.begin().await?;
    database.hold(&transaction, session).await?;
    replace_rows(database, &transaction, session, rows).await?;
    Ok(transaction.commit().await?)
}

/// Replaces rows by others in a transaction. On an error, the caller leaves the transaction: it is rolled back.
pub(crate) async fn replace_rows(
    database: &Database,
    transaction: &DatabaseTransaction,
    session: &SessionId,
    rows: &[Row],
) -> Result<(), RedactError> {
    for row in rows {
        let values: [Value; 7] = [
            row.kind.into(),
            row.exchange.into(),
            row.at.into(),
            row.digest.into(),
            database.dialect().text(row.payload.clone()),
            session.as_str().into(),
            row.seq.into(),
        ];
        if transaction.execute_raw(statement(transaction, REPLACE, values)).await?.rows_affected() == 0 {
            return Err(RedactError::Missing(Seq(row.seq.unsigned_abs())));
        }
    }
    Ok(())
}
