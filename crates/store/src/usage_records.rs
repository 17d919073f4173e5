//! The records that say what requests have used, of one session or of all.

use sea_orm::{ConnectionTrait as _, DbErr, EntityTrait, Value};
use throughline_continuity::LogError;
use throughline_conversation::{Millis, Record, Seq, SessionId};

use crate::dialect::statement;
use crate::entity::log::Entity;
use crate::row::records;
use crate::store::Store;

/// Where the records of a session end that it has of the one that it is a copy of.
macro_rules! inherited {
    () => {
        include_str!("inherited_records.sql")
    };
}

/// The sessions with records since a time. What sub-agents used is in the records of the session that they work for.
const SESSIONS: &str = concat!("SELECT s.id, ", inherited!(), include_str!("active_sessions.sql"));

const INHERITED: &str = concat!("SELECT ", inherited!(), "FROM sessions AS s WHERE s.id = ?");

/// Records that are read at once: the texts of a long session's receipts take more room than the records.
const PAGE: i64 = 500;

impl Store {
    /// The receipts and side requests that were recorded behind a record and since a time, with the records that name their
    /// models: a list for each session, in order. `None`: of all sessions, and of a fork only its [own](Self::inherited). Damaged
    /// records are left out.
    ///
    /// # Errors
    /// [`LogError`] if the database cannot be read.
    pub async fn usage_records(
        &self,
        session: Option<&SessionId>,
        behind: Seq,
        since: Millis,
    ) -> Result<Vec<Vec<Record>>, LogError> {
        let failed = |error: DbErr| LogError::Other(self.database().fault(error).into());
        let connection = &self.database().connection;
        let values: [Value; 2] = [session.map(|session| session.as_str().to_owned()).into(), since.0.into()];
        let select = self.database().dialect().usage_records();
        let mut sessions = Vec::new();
        for row in connection.query_all_raw(statement(connection, SESSIONS, values)).await.map_err(failed)? {
            let id: String = row.try_get_by_index(0).map_err(failed)?;
            let copied: i64 = if session.is_none() { row.try_get_by_index(1).map_err(failed)? } else { 0 };
            let mut found = Vec::new();
            let mut after = i64::try_from(behind.0).unwrap_or(i64::MAX);
            loop {
                let values: [Value; 5] =
                    [id.as_str().into(), after.into(), since.0.into(), PAGE.into(), copied.into()];
                let rows = Entity::find()
                    .from_raw_sql(statement(connection, select.as_str(), values))
                    .all(connection)
                    .await;
                let rows = rows.map_err(failed)?;
                for record in records(&rows) {
                    match record {
                        Ok(record) => found.push(record),
                        Err(error) => tracing::warn!(session = id, %error, "left a record out of the cost"),
                    }
                }
                match rows.last() {
                    Some(last) => after = last.seq,
                    None => break,
                }
            }
            sessions.push(found);
        }
        Ok(sessions)
    }

    /// The last record that a session has of the one that it is a copy of; 0: it is no copy.
    ///
    /// # Errors
    /// [`LogError`] if the database cannot be read.
    pub async fn inherited(&self, session: &SessionId) -> Result<Seq, LogError> {
        let connection = &self.database().connection;
        let row = connection.query_one_raw(statement(connection, INHERITED, [session.as_str().into()])).await;
        let last = row.and_then(|row| row.map(|row| row.try_get_by_index::<i64>(0)).transpose());
        let last = last.map_err(|error| LogError::Other(self.database().fault(error).into()))?;
        Ok(Seq(last.unwrap_or(0).unsigned_abs()))
    }
}
