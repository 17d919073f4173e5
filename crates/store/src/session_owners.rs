//! Which user made a session.

use std::collections::HashMap;
use std::sync::Arc;

use sea_orm::{ConnectionTrait as _, DbErr, QueryResult, Value};
use throughline_conversation::SessionId;

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::statement;

/// Stores the owner of each session that a user's token made. An owner goes with its session.
#[derive(Debug, Clone)]
pub struct SeaSessionOwners {
    database: Arc<Database>,
}

impl SeaSessionOwners {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// Gives a session that has no owner this one, and returns the one that it has now.
    ///
    /// # Errors
    /// There is no such session, or the database failed.
    pub async fn claim(&self, session: &SessionId, owner: &str) -> Result<String, DatabaseError> {
        const CLAIM: &str =
            "INSERT INTO session_owners (session_id, owner) VALUES (?, ?) ON CONFLICT DO NOTHING";
        let connection = &self.database.connection;
        let values: [Value; 2] = [session.as_str().into(), owner.into()];
        let claimed = connection.execute_raw(statement(connection, CLAIM, values)).await;
        claimed.map_err(|error| self.failed(error))?;
        Ok(self.find(session).await?.unwrap_or_else(|| owner.to_owned()))
    }

    /// Takes the owner of a session from it.
    ///
    /// # Errors
    /// The database failed.
    pub async fn release(&self, session: &SessionId) -> Result<(), DatabaseError> {
        const RELEASE: &str = "DELETE FROM session_owners WHERE session_id = ?";
        let connection = &self.database.connection;
        let released =
            connection.execute_raw(statement(connection, RELEASE, [session.as_str().into()])).await;
        released.map(drop).map_err(|error| self.failed(error))
    }

    /// The owner of a session, if it has one.
    ///
    /// # Errors
    /// The database failed.
    pub async fn find(&self, session: &SessionId) -> Result<Option<String>, DatabaseError> {
        const FIND: &str = "SELECT owner FROM session_owners WHERE session_id = ?";
        let connection = &self.database.connection;
        let found = connection.query_one_raw(statement(connection, FIND, [session.as_str().into()])).await;
        let owner = found.and_then(|row| row.map(|row| row.try_get_by_index(0)).transpose());
        owner.map_err(|error| self.failed(error))
    }

    /// The owners of all sessions that have one.
    ///
    /// # Errors
    /// The database failed.
    pub async fn list(&self) -> Result<HashMap<String, String>, DatabaseError> {
        const LIST: &str = "SELECT session_id, owner FROM session_owners";
        let connection = &self.database.connection;
        self.pairs(connection.query_all_raw(statement(connection, LIST, [])).await)
    }

    /// The owners of these sessions, of those that have one.
    ///
    /// # Errors
    /// The database failed.
    pub async fn of(&self, sessions: &[&str]) -> Result<HashMap<String, String>, DatabaseError> {
        if sessions.is_empty() {
            return Ok(HashMap::new());
        }
        let marks = vec!["?"; sessions.len()].join(",");
        let sql = format!("SELECT session_id, owner FROM session_owners WHERE session_id IN ({marks})");
        let connection = &self.database.connection;
        let ids = sessions.iter().map(|session| Value::from(*session));
        let rows = connection.query_all_raw(statement(connection, sql, ids)).await;
        self.pairs(rows)
    }

    fn pairs(&self, rows: Result<Vec<QueryResult>, DbErr>) -> Result<HashMap<String, String>, DatabaseError> {
        let rows = rows.map_err(|error| self.failed(error))?;
        let pairs = rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?)));
        pairs.collect::<Result<_, DbErr>>().map_err(|error| self.failed(error))
    }

    fn failed(&self, error: DbErr) -> DatabaseError {
        self.database.fault(error)
    }
}
