//! The tokens of users in the database.

use std::path::PathBuf;
use std::sync::Arc;

use sea_orm::{ConnectionTrait as _, DbErr, QueryResult, Value};
use throughline_conversation::Millis;

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::statement;
use crate::user_token::{UserRights, UserToken};

const COLUMNS: &str = "id, name, rights, folders, digest, created_at, expires_at, revoked_at";

/// Stores the tokens of users, for all servers that share the database.
#[derive(Debug, Clone)]
pub struct SeaUserTokens {
    database: Arc<Database>,
}

impl SeaUserTokens {
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self { database }
    }

    /// Stores a new token.
    ///
    /// # Errors
    /// The database failed, or another token has its id.
    pub async fn add(&self, token: &UserToken) -> Result<(), DatabaseError> {
        // A path that is no UTF-8 is an error: a token must not open more than it says.
        let folders =
            serde_json::to_string(&token.folders).map_err(|error| self.failed(unreadable(&error)))?;
        let values: [Value; 8] = [
            token.id.as_str().into(),
            token.user.as_str().into(),
            token.rights.name().into(),
            folders.into(),
            token.digest.as_str().into(),
            token.created.0.into(),
            token.expires.map(|at| at.0).into(),
            token.revoked.map(|at| at.0).into(),
        ];
        let sql = format!("INSERT INTO user_tokens ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        let connection = &self.database.connection;
        let added = connection.execute_raw(statement(connection, sql, values)).await;
        added.map(drop).map_err(|error| self.failed(error))
    }

    /// The token with this id, valid or not.
    ///
    /// # Errors
    /// The database failed, or the row is damaged.
    pub async fn find(&self, id: &str) -> Result<Option<UserToken>, DatabaseError> {
        let sql = format!("SELECT {COLUMNS} FROM user_tokens WHERE id = ?");
        let connection = &self.database.connection;
        let row = connection.query_one_raw(statement(connection, sql, [id.into()])).await;
        let row = row.map_err(|error| self.failed(error))?;
        row.as_ref().map(token).transpose().map_err(|error| self.failed(error))
    }

    /// All tokens, the oldest first.
    ///
    /// # Errors
    /// The database failed, or a row is damaged.
    pub async fn list(&self) -> Result<Vec<UserToken>, DatabaseError> {
        let sql = format!("SELECT {COLUMNS} FROM user_tokens ORDER BY created_at, id");
        let connection = &self.database.connection;
        let rows = connection.query_all_raw(statement(connection, sql, [])).await;
        let rows = rows.map_err(|error| self.failed(error))?;
        rows.iter().map(token).collect::<Result<_, _>>().map_err(|error| self.failed(error))
    }

    /// Revokes the token with this id, or all tokens of the user with this name. Returns how many were not revoked before.
    ///
    /// # Errors
    /// The database failed.
    pub async fn revoke(&self, name: &str, at: Millis) -> Result<u64, DatabaseError> {
        let sql =
            "UPDATE user_tokens SET revoked_at = ?1 WHERE (id = ?2 OR name = ?2) AND revoked_at IS NULL";
        let connection = &self.database.connection;
        let done = connection.execute_raw(statement(connection, sql, [at.0.into(), name.into()])).await;
        done.map(|done| done.rows_affected()).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: DbErr) -> DatabaseError {
        self.database.fault(error)
    }
}

fn unreadable(error: &serde_json::Error) -> DbErr {
    DbErr::Custom(error.to_string())
}

fn token(row: &QueryResult) -> Result<UserToken, DbErr> {
    let id: String = row.try_get_by_index(0)?;
    let (rights, folders): (String, String) = (row.try_get_by_index(2)?, row.try_get_by_index(3)?);
    let unknown = || DbErr::Custom(format!("the token {id} has the unknown rights {rights:?}"));
    let rights = UserRights::named(&rights).ok_or_else(unknown)?;
    let folders: Vec<PathBuf> = serde_json::from_str(&folders).map_err(|error| unreadable(&error))?;
    Ok(UserToken {
        user: row.try_get_by_index(1)?,
        rights,
        folders,
        digest: row.try_get_by_index(4)?,
        created: Millis(row.try_get_by_index(5)?),
        expires: row.try_get_by_index::<Option<i64>>(6)?.map(Millis),
        revoked: row.try_get_by_index::<Option<i64>>(7)?.map(Millis),
        id,
    })
}
