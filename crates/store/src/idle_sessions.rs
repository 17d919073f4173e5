//! Sessions that have not been written for long, and their removal in small pieces.

use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DbErr, Value};
use throughline_conversation::{Millis, SessionId};

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::statement;
use crate::store::Store;

/// The sessions whose newest record is before a time, by id. A session without records counts from when it was made.
const IDLE: &str = "SELECT s.id FROM sessions AS s WHERE s.id > ?1 AND coalesce((SELECT newest.at FROM log AS newest \
                    WHERE newest.session_id = s.id ORDER BY newest.seq DESC LIMIT 1), s.created_at) < ?2 \
                    ORDER BY s.id LIMIT ?3";

/// When the newest record of a session was written.
const ACTIVITY: &str = "SELECT coalesce((SELECT newest.at FROM log AS newest WHERE newest.session_id = s.id \
                        ORDER BY newest.seq DESC LIMIT 1), s.created_at) FROM sessions AS s WHERE s.id = ?";

/// Records, and stored results, that one statement removes at most.
const RECORDS: i64 = 400;
const RESULTS: i64 = 16;

/// How long other writers have after each of these statements.
const GAP: Duration = Duration::from_millis(5);

const EXCESS_RECORDS: &str = "SELECT 1 FROM log WHERE session_id = ?1 AND seq >= (SELECT min(seq) FROM log WHERE session_id = ?1) + ?2 LIMIT 1";
const REMOVE_RECORDS: &str =
    "DELETE FROM log WHERE session_id = ?1 AND seq < (SELECT min(seq) FROM log WHERE session_id = ?1) + ?2";
const EXCESS_RESULTS: &str =
    "SELECT 1 FROM tool_result_blobs WHERE session_id = ?1 ORDER BY created_at, id LIMIT 1 OFFSET ?2";
const REMOVE_RESULTS: &str = "DELETE FROM tool_result_blobs WHERE session_id = ?1 AND id IN \
                              (SELECT id FROM tool_result_blobs WHERE session_id = ?1 ORDER BY created_at, id LIMIT ?2)";

impl Store {
    /// The sessions whose newest record is before a time, at most `most`, by id after one.
    ///
    /// # Errors
    /// The database failed.
    pub async fn idle_sessions(
        &self,
        before: Millis,
        after: &str,
        most: u64,
    ) -> Result<Vec<SessionId>, DatabaseError> {
        let connection = &self.database().connection;
        let values: [Value; 3] = [after.into(), before.0.into(), most.cast_signed().into()];
        let rows = connection.query_all_raw(statement(connection, IDLE, values)).await;
        let ids = rows.and_then(|rows| rows.iter().map(|row| row.try_get_by_index(0)).collect());
        let ids: Vec<String> = ids.map_err(|error| self.database().fault(error))?;
        Ok(ids.into_iter().filter_map(|id| SessionId::new(id).ok()).collect())
    }

    /// When the newest record of a session was written; `None`: there is no such session.
    ///
    /// # Errors
    /// The database failed.
    pub async fn last_activity(&self, session: &SessionId) -> Result<Option<Millis>, DatabaseError> {
        let connection = &self.database().connection;
        let row = connection.query_one_raw(statement(connection, ACTIVITY, [session.as_str().into()])).await;
        let at = row.and_then(|row| row.map(|row| row.try_get_by_index(0).map(Millis)).transpose());
        at.map_err(|error| self.database().fault(error))
    }
}

impl Database {
    /// Removes the records and results of a large session but for the newest few, in statements that are short for other
    /// writers. The rest goes with the row of the session.
    pub(crate) async fn shrink_session(&self, session: &SessionId) -> Result<(), DbErr> {
        let pieces = [(EXCESS_RESULTS, REMOVE_RESULTS, RESULTS), (EXCESS_RECORDS, REMOVE_RECORDS, RECORDS)];
        for (excess, remove, most) in pieces {
            let sql =
                |sql: &'static str| statement(&self.connection, sql, [session.as_str().into(), most.into()]);
            while self.connection.query_one_raw(sql(excess)).await?.is_some() {
                self.connection.execute_raw(sql(remove)).await?;
                tokio::time::sleep(GAP).await;
            }
        }
        Ok(())
    }
}
