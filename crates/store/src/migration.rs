//! Bringing the tables up to date.

mod server;

use std::path::Path;

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use crate::database::Database;
use crate::database_error::DatabaseError;
use crate::dialect::end_sql::end_sql;
use crate::dialect::{Dialect, statement};
use crate::fault::{is_constraint, is_full};
use crate::open_error::OpenError;

/// The changes in order. The database's `user_version` is the number of those that were made.
const CHANGES: &[&str] = &[
    include_str!("migrations/1.sql"),
    include_str!("migrations/2.sql"),
    include_str!("migrations/3.sql"),
    include_str!("migrations/4.sql"),
    include_str!("migrations/5.sql"),
    include_str!("migrations/6.sql"),
    include_str!("migrations/7.sql"),
    include_str!("migrations/8.sql"),
    include_str!("migrations/9.sql"),
    COPY_LOG,
];

/// The change after which each session's end is stored with it.
const STORED_ENDS: i64 = 4;

/// The change that copies the log into a table of another form.
const COPIED_LOG: i64 = 10;
const COPY_LOG: &str = include_str!("migrations/10.sql");

/// Marks a database as ours ("ThLn" in ASCII), so that another program's is never written to.
const APPLICATION: i64 = 0x5468_4c6e;

/// What the tables of a database are.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Tables {
    /// Up to date.
    Current,
    /// Those of another program.
    Foreign,
    /// Those of a version after this one.
    Newer {
        /// The number of changes that were made to them.
        found: i64,
        /// The number of those that this version knows.
        known: i64,
    },
}

impl Tables {
    /// Fails if the tables of this database are not those that this version knows.
    pub(crate) fn known(self, path: &Path) -> Result<(), OpenError> {
        let path = path.to_path_buf();
        match self {
            Self::Current => Ok(()),
            Self::Foreign => Err(OpenError::Foreign { path }),
            Self::Newer { found, known } => Err(OpenError::TooNew { path, found, known }),
        }
    }
}

/// The number of changes that this version knows.
pub(crate) fn known() -> i64 {
    CHANGES.len() as i64
}

/// Makes the changes that are missing, all or none.
pub(crate) async fn migrate(database: &Database) -> Result<Tables, DbErr> {
    if database.dialect() == Dialect::Postgres {
        return server::migrate(database).await;
    }
    // The common case takes no lock, so opening works while another process writes.
    if is_current(database).await? {
        return Ok(Tables::Current);
    }
    let transaction = database.begin().await?;
    let tables = bring_up(&transaction).await?;
    transaction.commit().await?;
    if tables == Tables::Current && !is_current(database).await? {
        copy_log(database).await?;
    }
    Ok(tables)
}

/// Returns true if no change is missing.
pub(crate) async fn is_current(database: &Database) -> Result<bool, DbErr> {
    let at = Database::pragma(&database.connection, "user_version").await?;
    Ok(at == known() && Database::pragma(&database.connection, "application_id").await? == APPLICATION)
}

async fn bring_up(transaction: &DatabaseTransaction) -> Result<Tables, DbErr> {
    let found = Database::pragma(transaction, "user_version").await?;
    let application = Database::pragma(transaction, "application_id").await?;
    let fresh = application == 0 && found == 0 && is_empty(transaction).await?;
    if application != APPLICATION && !fresh {
        return Ok(Tables::Foreign);
    }
    if found > known() {
        return Ok(Tables::Newer { found, known: known() });
    }
    // An older log is copied by itself, because damage ends the transaction.
    let upto = if fresh || found >= COPIED_LOG { known() } else { COPIED_LOG - 1 };
    for (_, change) in (1..=upto).zip(CHANGES).skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_unprepared(change).await?;
    }
    if (1..STORED_ENDS).contains(&found) {
        store_ends(transaction).await?;
    }
    transaction.execute_unprepared(&format!("PRAGMA application_id = {APPLICATION}")).await?;
    transaction.execute_unprepared(&format!("PRAGMA user_version = {upto}")).await?;
    Ok(Tables::Current)
}

/// Copies the log of an older version. One that is too damaged for that is left unchanged: every statement is the same for both forms.
/// Without room for the copy the next opening tries again.
async fn copy_log(database: &Database) -> Result<(), DbErr> {
    let done = format!("PRAGMA user_version = {COPIED_LOG}");
    let transaction = database.begin().await?;
    if Database::pragma(&transaction, "user_version").await? >= COPIED_LOG {
        return transaction.commit().await;
    }
    match transaction.execute_unprepared(&format!("{COPY_LOG}\n{done}")).await {
        Ok(_) => return transaction.commit().await,
        Err(error) if DatabaseError::is_damage(&error) || is_constraint(&error) => {
            tracing::warn!(%error, "the log is damaged and stays in its old form");
        }
        Err(error) if is_full(&error) => {
            tracing::warn!(%error, "the log stays in its old form until there is room for a copy");
            return Ok(());
        }
        Err(error) => return Err(error),
    }
    transaction.rollback().await?;
    let transaction = database.begin().await?;
    transaction.execute_unprepared(&done).await?;
    transaction.commit().await
}

/// Stores where the log of each session ends. One that is too damaged to be asked stays unknown: its other records are
/// still read.
async fn store_ends(transaction: &DatabaseTransaction) -> Result<(), DbErr> {
    const SESSIONS: &str = "SELECT s.id FROM sessions AS s ORDER BY \
        coalesce((SELECT at FROM log WHERE session_id = s.id ORDER BY seq DESC LIMIT 1), s.created_at), s.id DESC";
    const IN_NO_ORDER: &str = "SELECT id FROM sessions ORDER BY created_at, id DESC";
    let sessions = match transaction.query_all_raw(statement(transaction, SESSIONS, [])).await {
        Err(error) if DatabaseError::is_damage(&error) => {
            transaction.query_all_raw(statement(transaction, IN_NO_ORDER, [])).await?
        }
        sessions => sessions?,
    };
    let end = concat!("UPDATE sessions SET last_seq = ", end_sql!("?1"), " WHERE id = ?1");
    for (written, row) in (1_i64..).zip(&sessions) {
        let id: String = row.try_get_by_index(0)?;
        match transaction.execute_raw(statement(transaction, end, [id.as_str().into()])).await {
            Err(error) if DatabaseError::is_damage(&error) => {}
            Err(error) => return Err(error),
            Ok(_) => {}
        }
        let rest = "UPDATE sessions SET last_check = -last_seq, written = ?2 WHERE id = ?1";
        transaction.execute_raw(statement(transaction, rest, [id.as_str().into(), written.into()])).await?;
    }
    Ok(())
}

async fn is_empty(transaction: &DatabaseTransaction) -> Result<bool, DbErr> {
    let row =
        transaction.query_one_raw(statement(transaction, "SELECT count(*) FROM sqlite_schema", [])).await?;
    let tables: i64 = row.map_or(Ok(0), |row| row.try_get_by_index(0))?;
    Ok(tables == 0)
}
