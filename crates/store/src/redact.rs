//! Deleting content for good.
//!
//! SQLite leaves what was deleted in free pages, in the gaps of pages that were split, and in the write-ahead log.
//! `secure_delete` overwrites most of it with zeros, writing the database anew leaves the rest behind, and a checkpoint
//! that truncates empties the write-ahead log.

use sea_orm::{ConnectionTrait, DbErr, Value};
use throughline_conversation::{Seq, SessionId};

use crate::database::{Database, statement};
use crate::row::Row;

const REPLACE: &str = "UPDATE log SET kind = ?, exchange = ?, at = ?, digest = ?, payload = ? \
                       WHERE session_id = ? AND seq = ?";

/// Puts rows in the place of others, all or none. The place of the first that is not there, when there is one.
pub(crate) async fn redact(
    database: &Database,
    session: &SessionId,
    rows: &[Row],
) -> Result<Option<Seq>, DbErr> {
    let transaction = database.begin().await?;
    for row in rows {
        let values: [Value; 7] = [
            row.kind.into(),
            row.exchange.into(),
            row.at.into(),
            row.digest.into(),
            row.payload.as_str().into(),
            session.as_str().into(),
            row.seq.into(),
        ];
        if transaction.execute_raw(statement(REPLACE, values)).await?.rows_affected() == 0 {
            transaction.rollback().await?;
            return Ok(Some(Seq(row.seq.unsigned_abs())));
        }
    }
    transaction.commit().await?;
    database.forget_deleted().await.map(|_| None)
}
