//! Closing and opening the database of one session.

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, Result};

use crate::authorizer::{Refusals, judge};
use crate::deadline::Deadline;
use crate::limits::HEAP_LIMIT;

/// Steps of a query's program between two looks at the clock, while no value is longer than [`VALUE_BYTES`]. A look
/// costs about as much as two steps. With longer values a step may take longer, so there are fewer of them.
const STEPS: usize = 20;

/// Length of the longest value that a query may always make.
const VALUE_BYTES: usize = 256 * 1024;

/// Room of a row without its longest text.
const ROW_BYTES: usize = 64 * 1024;

/// The limits that do not depend on the rows.
///
/// A pattern of LIKE or GLOB costs its length times that of the text, within one step.
const LIMITS: [(Limit, i32); 9] = [
    (Limit::SQLITE_LIMIT_ATTACHED, 0),
    (Limit::SQLITE_LIMIT_SQL_LENGTH, 20_000),
    (Limit::SQLITE_LIMIT_EXPR_DEPTH, 100),
    (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 20),
    (Limit::SQLITE_LIMIT_VDBE_OP, 25_000),
    (Limit::SQLITE_LIMIT_FUNCTION_ARG, 16),
    (Limit::SQLITE_LIMIT_COLUMN, 64),
    (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
    (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
];

/// An empty database with the table, open for rows.
pub(crate) fn create() -> Result<Connection> {
    let connection = Connection::open_in_memory()?;
    connection.execute_batch(include_str!("messages.sql"))?;
    // Never raised again: SQLite only lets this pragma lower the limit.
    connection.pragma_update_and_check(
        None,
        "hard_heap_limit",
        i64::try_from(HEAP_LIMIT).unwrap_or(i64::MAX),
        |_| Ok(()),
    )?;
    crate::functions::register(&connection)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    Ok(connection)
}

/// Lets rows in: no query may run until it is closed again.
pub(crate) fn open(connection: &Connection) -> Result<()> {
    connection.authorizer(None::<fn(AuthContext<'_>) -> Authorization>)?;
    connection.progress_handler(0, None::<fn() -> bool>)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, i32::MAX)?;
    connection.pragma_update(None, "query_only", false)
}

/// Makes the database fit for a query of a stranger. `longest` is the bytes of its longest text.
pub(crate) fn close(
    connection: &Connection,
    longest: usize,
    deadline: &Deadline,
    refusals: &Refusals,
) -> Result<()> {
    connection.authorizer(None::<fn(AuthContext<'_>) -> Authorization>)?;
    connection.pragma_update(None, "query_only", true)?;
    // A row of the table must fit, and two of them side by side.
    let length = longest.saturating_mul(2).saturating_add(ROW_BYTES).max(VALUE_BYTES);
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, i32::try_from(length).unwrap_or(i32::MAX))?;
    for (limit, value) in LIMITS {
        connection.set_limit(limit, value)?;
    }
    let clock = deadline.clone();
    let steps = (STEPS * VALUE_BYTES / length).max(1);
    connection.progress_handler(i32::try_from(steps).unwrap_or(1), Some(move || clock.is_over()))?;
    let refusals = refusals.clone();
    connection.authorizer(Some(move |context: AuthContext<'_>| judge(&context, &refusals)))
}
