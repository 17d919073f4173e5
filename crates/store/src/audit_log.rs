//! What users have changed.

use std::sync::Arc;

use sea_orm::{ConnectionTrait as _, DbErr, QueryResult, Value};
use throughline_conversation::Millis;

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::{Dialect, statement};

/// A changing request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When it was answered.
    pub at: Millis,
    /// The user.
    pub user: String,
    /// `POST`, `PUT` or `DELETE`.
    pub method: String,
    /// The path, without its query.
    pub path: String,
    /// The session or context that the path names, or that was made.
    pub session: Option<String>,
    /// The status of the answer; `None`: the client was gone before it.
    pub status: Option<u16>,
    /// The address of the other end of the connection.
    pub remote: String,
    /// The address of the client as a proxy has named it.
    pub forwarded: Option<String>,
}

/// Stores the changing requests of all servers that share the database.
#[derive(Debug, Clone)]
pub struct SeaAuditLog {
    database: Arc<Database>,
}

impl SeaAuditLog {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// The database failed.
    pub async fn append(&self, entry: &AuditEntry) -> Result<(), DatabaseError> {
        const APPEND: &str = "INSERT INTO audit_log (id, at, name, method, path, session_id, status, remote, forwarded) \
                              VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING";
        let values: [Value; 9] = [
            self.new_id().await?.into(),
            entry.at.0.into(),
            entry.user.as_str().into(),
            entry.method.as_str().into(),
            entry.path.as_str().into(),
            entry.session.clone().into(),
            entry.status.map(i64::from).into(),
            entry.remote.as_str().into(),
            entry.forwarded.clone().into(),
        ];
        self.execute(APPEND, values).await.map(drop)
    }

    /// The number of the next entry, so that one that is sent again by another connection is not stored twice. `None`: it is given
    /// with the row, because nothing is sent again.
    async fn new_id(&self) -> Result<Option<i64>, DatabaseError> {
        const NEXT: &str = "SELECT nextval(pg_get_serial_sequence('audit_log', 'id'))";
        if self.database.dialect() == Dialect::Sqlite {
            return Ok(None);
        }
        let connection = &self.database.connection;
        let row = connection.query_one_raw(statement(connection, NEXT, [])).await;
        let id = row.and_then(|row| row.map(|row| row.try_get_by_index(0)).transpose());
        id.map_err(|error| self.failed(error))
    }

    /// Entries since a time, the newest first: `limit` of them after the newest `offset`.
    ///
    /// # Errors
    /// The database failed.
    pub async fn list(
        &self,
        since: Millis,
        limit: u64,
        offset: u64,
    ) -> Result<Vec<AuditEntry>, DatabaseError> {
        const LIST: &str = "SELECT at, name, method, path, session_id, status, remote, forwarded FROM audit_log \
                            WHERE at >= ? ORDER BY at DESC, id DESC LIMIT ? OFFSET ?";
        let values: [Value; 3] = [since.0.into(), limit.cast_signed().into(), offset.cast_signed().into()];
        let connection = &self.database.connection;
        let rows = connection.query_all_raw(statement(connection, LIST, values)).await;
        let rows = rows.map_err(|error| self.failed(error))?;
        rows.iter().map(entry).collect::<Result<_, _>>().map_err(|error| self.failed(error))
    }

    /// How many entries there are since a time.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count(&self, since: Millis) -> Result<u64, DatabaseError> {
        const COUNT: &str = "SELECT count(*) FROM audit_log WHERE at >= ?";
        self.number(COUNT, since).await
    }

    /// How many entries are before a time.
    ///
    /// # Errors
    /// The database failed.
    pub async fn count_before(&self, time: Millis) -> Result<u64, DatabaseError> {
        const COUNT: &str = "SELECT count(*) FROM audit_log WHERE at < ?";
        self.number(COUNT, time).await
    }

    /// Removes the oldest entries before a time, at most `most` at once. Returns how many it removed.
    ///
    /// # Errors
    /// The database failed.
    pub async fn remove_before(&self, time: Millis, most: u64) -> Result<u64, DatabaseError> {
        const REMOVE: &str =
            "DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log WHERE at < ? ORDER BY at LIMIT ?)";
        self.execute(REMOVE, [time.0.into(), most.cast_signed().into()]).await
    }

    async fn number(&self, sql: &str, time: Millis) -> Result<u64, DatabaseError> {
        let connection = &self.database.connection;
        let row = connection.query_one_raw(statement(connection, sql, [time.0.into()])).await;
        let count = row.and_then(|row| row.map_or(Ok(0), |row| row.try_get_by_index::<i64>(0)));
        count.map(i64::unsigned_abs).map_err(|error| self.failed(error))
    }

    async fn execute<const N: usize>(&self, sql: &str, values: [Value; N]) -> Result<u64, DatabaseError> {
        let connection = &self.database.connection;
        let done = connection.execute_raw(statement(connection, sql, values)).await;
        done.map(|done| done.rows_affected()).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: DbErr) -> DatabaseError {
        self.database.fault(error)
    }
}

fn entry(row: &QueryResult) -> Result<AuditEntry, DbErr> {
    let status: Option<i64> = row.try_get_by_index(5)?;
    Ok(AuditEntry {
        at: Millis(row.try_get_by_index(0)?),
        user: row.try_get_by_index(1)?,
        method: row.try_get_by_index(2)?,
        path: row.try_get_by_index(3)?,
        session: row.try_get_by_index(4)?,
        status: status.and_then(|status| u16::try_from(status).ok()),
        remote: row.try_get_by_index(6)?,
        forwarded: row.try_get_by_index(7)?,
    })
}
