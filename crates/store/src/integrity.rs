//! Looking for damage.

use sea_orm::ConnectionTrait;

use crate::database_error::DatabaseError;
use crate::dialect::statement;
use crate::store::Store;

/// The sessions that have fewer records than places.
const GAPS: &str = "SELECT id FROM sessions AS s \
                    WHERE coalesce(last_seq, 0) <> (SELECT count(*) FROM log WHERE session_id = s.id) ORDER BY id";

impl Store {
    /// Asks the database whether it answers. Reads no table.
    ///
    /// # Errors
    /// [`DatabaseError`] when it does not answer.
    pub async fn ping(&self) -> Result<(), DatabaseError> {
        let connection = &self.database.connection;
        let asked = connection.query_all_raw(statement(connection, "SELECT 1", [])).await;
        asked.map(drop).map_err(|error| self.database.fault(error))
    }

    /// Looks for damage: SQLite's quick check, and rows that belong to no session; on a server, records that are missing.
    /// Costs the size of the database. An empty list: none was found.
    ///
    /// # Errors
    /// [`DatabaseError`] when the damage is such that nothing can be looked at.
    pub async fn check(&self) -> Result<Vec<String>, DatabaseError> {
        let fault = |error| self.database.fault(error);
        let connection = &self.database.connection;
        let mut found = Vec::new();
        if self.is_server() {
            for row in connection.query_all_raw(statement(connection, GAPS, [])).await.map_err(fault)? {
                let session: String = row.try_get_by_index(0).map_err(fault)?;
                found.push(format!("records of session {session} are missing"));
            }
            return Ok(found);
        }
        for row in
            connection.query_all_raw(statement(connection, "PRAGMA quick_check", [])).await.map_err(fault)?
        {
            let line: String = row.try_get_by_index(0).map_err(fault)?;
            if line != "ok" {
                found.push(line);
            }
        }
        for row in connection
            .query_all_raw(statement(connection, "PRAGMA foreign_key_check", []))
            .await
            .map_err(fault)?
        {
            let table: String = row.try_get_by_index(0).map_err(fault)?;
            let parent: String = row.try_get_by_index(2).map_err(fault)?;
            let parent = if parent == "sessions" { "session" } else { "file" };
            found.push(format!("a row of {table} belongs to no {parent}"));
        }
        Ok(found)
    }
}
