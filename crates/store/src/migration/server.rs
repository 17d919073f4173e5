//! The tables on a server.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::{APPLICATION, Tables};
use crate::database::Database;
use crate::dialect::statement;

/// The changes in order. The table `throughline_schema` has the number of those that were made.
const CHANGES: &[&str] = &[
    include_str!("../migrations/postgres/1.sql"),
    include_str!("../migrations/postgres/2.sql"),
    include_str!("../migrations/postgres/3.sql"),
    include_str!("../migrations/postgres/4.sql"),
    include_str!("../migrations/postgres/5.sql"),
    include_str!("../migrations/postgres/6.sql"),
];

/// Makes the changes that are missing, all or none. Of several processes that come at once, one does.
pub(super) async fn migrate(database: &Database) -> Result<Tables, DbErr> {
    let known = CHANGES.len() as i64;
    if version(&database.connection).await? == Some(known) {
        return Ok(Tables::Current);
    }
    let transaction = database.begin().await?;
    let lock = statement(&transaction, "SELECT 1 FROM pg_advisory_xact_lock(?)", [APPLICATION.into()]);
    transaction.query_one_raw(lock).await?;
    let found = match version(&transaction).await? {
        Some(found) if found > known => return Ok(Tables::Newer { found, known }),
        Some(found) => found,
        None if is_foreign(&transaction).await? => return Ok(Tables::Foreign),
        None => 0,
    };
    for change in CHANGES.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_unprepared(change).await?;
    }
    let now = statement(&transaction, "UPDATE throughline_schema SET version = ?", [known.into()]);
    transaction.execute_raw(now).await?;
    transaction.commit().await?;
    Ok(Tables::Current)
}

/// The number of changes that were made; `None`: there are no tables yet.
async fn version(connection: &impl ConnectionTrait) -> Result<Option<i64>, DbErr> {
    if !has_table(connection, "throughline_schema").await? {
        return Ok(None);
    }
    let row =
        connection.query_one_raw(statement(connection, "SELECT version FROM throughline_schema", [])).await?;
    row.map(|row| row.try_get_by_index(0)).transpose()
}

/// Returns true if another program has tables of the same names.
async fn is_foreign(transaction: &DatabaseTransaction) -> Result<bool, DbErr> {
    Ok(has_table(transaction, "sessions").await? || has_table(transaction, "log").await?)
}

async fn has_table(connection: &impl ConnectionTrait, name: &str) -> Result<bool, DbErr> {
    let find = statement(connection, "SELECT to_regclass(?) IS NOT NULL", [name.into()]);
    let row = connection.query_one_raw(find).await?;
    row.map_or(Ok(false), |row| row.try_get_by_index(0))
}
