//! Replacing records whose source has changed: the answer of another agent that was still written when it was stored.

use sea_orm::{ConnectionTrait as _, Value};
use throughline_continuity::{LogError, MessageLog as _};
use throughline_conversation::{Record, Seq, SessionId};

use crate::append::{MAX_ROWS, append};
use crate::dialect::statement;
use crate::message_log::{SeaMessageLog, log_error};
use crate::redact::{RedactError, replace_rows};
use crate::row::Row;

const CONTEXTS: &str = "DELETE FROM session_contexts WHERE session_id = ? AND covers >= ?";
const SNAPSHOT: &str = "DELETE FROM session_snapshots WHERE session_id = ?";

impl SeaMessageLog {
    /// Replaces records by others with the same numbers, and appends more, all or nothing. The snapshot of the session goes, and so
    /// do the contexts that cover a replaced record. Stored results stay. Bytes of the old records may be left in the file.
    ///
    /// # Errors
    /// A record to replace is missing, the log does not end right before the appended ones, or the storage failed. Nothing has
    /// changed then.
    pub async fn replace(
        &self,
        session: &SessionId,
        replaced: &[Record],
        appended: &[Record],
    ) -> Result<(), LogError> {
        let rows = |records: &[Record]| records.iter().map(Row::of).collect::<Result<Vec<Row>, LogError>>();
        let (replaced, appended) = (rows(replaced)?, rows(appended)?);
        let again = || self.replace_rows(session, &replaced, &appended);
        match self.database.connection.repeat(again).await {
            Ok(true) => self.database.check_place().map_err(|gone| LogError::Full(gone.to_string())),
            Ok(false) => Err(self.conflict(session, appended.first().map_or(Seq(0), seq)).await?),
            Err(RedactError::Missing(seq)) => Err(self.conflict(session, seq).await?),
            Err(RedactError::Database(error)) => Err(self.failed(error)),
            Err(RedactError::Lease(error)) => Err(log_error(error)),
            Err(error) => Err(LogError::Other(error.into())),
        }
    }

    /// `false`: the log does not end right before the first appended row.
    async fn replace_rows(
        &self,
        session: &SessionId,
        replaced: &[Row],
        appended: &[Row],
    ) -> Result<bool, RedactError> {
        let transaction = self.database.begin().await?;
        self.database.hold(&transaction, session).await?;
        replace_rows(&self.database, &transaction, session, replaced).await?;
        let name = || Value::from(session.as_str());
        transaction.execute_raw(statement(&transaction, SNAPSHOT, [name()])).await?;
        if let Some(first) = replaced.iter().map(|row| row.seq).min() {
            transaction.execute_raw(statement(&transaction, CONTEXTS, [name(), first.into()])).await?;
        }
        for chunk in appended.chunks(MAX_ROWS) {
            if !append(&transaction, session, chunk, self.database.token(session)).await? {
                transaction.rollback().await?;
                return Ok(false);
            }
        }
        transaction.commit().await?;
        Ok(true)
    }

    async fn conflict(&self, session: &SessionId, found: Seq) -> Result<LogError, LogError> {
        Ok(LogError::Conflict { expected: self.last(session).await?.next(), found })
    }
}

fn seq(row: &Row) -> Seq {
    Seq(row.seq.unsigned_abs())
}
