//! Sessions that have not been written for long, and their removal in small pieces.

use std::time::Duration;

use sea_orm::{ConnectionTrait as _, DbErr, Value};
use throughline_conversation::{Millis, SessionId};

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::statement;
use crate::store::Store;

/// A session whose records are all before a time, `?2`. One without records counts from when it was made. The last record is
/// asked first, so most sessions cost one lookup; it alone does not tell, because the clock may have been set back.
macro_rules! is_idle {
    () => {
        "coalesce((SELECT newest.at FROM log AS newest WHERE newest.session_id = s.id \
         ORDER BY newest.seq DESC LIMIT 1), s.created_at) < ?2 \
         AND NOT EXISTS (SELECT 1 FROM log AS newer WHERE newer.session_id = s.id AND newer.at >= ?2)"
    };
}

const IDLE: &str =
    concat!("SELECT s.id FROM sessions AS s WHERE s.id > ?1 AND ", is_idle!(), " ORDER BY s.id LIMIT ?3");
const IS_IDLE: &str = concat!("SELECT 1 FROM sessions AS s WHERE s.id = ?1 AND ", is_idle!());

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
    /// The sessions whose records are all before a time, at most `most`, by id after one.
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

    /// Returns true if all records of a session are before a time. False: there is no such session, too.
    ///
    /// # Errors
    /// The database failed.
    pub async fn is_idle(&self, session: &SessionId, before: Millis) -> Result<bool, DatabaseError> {
        let connection = &self.database().connection;
        let values: [Value; 2] = [session.as_str().into(), before.0.into()];
        let row = connection.query_one_raw(statement(connection, IS_IDLE, values)).await;
        row.map(|row| row.is_some()).map_err(|error| self.database().fault(error))
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
