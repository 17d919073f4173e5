//! Where a session's log ends.
//!
//! The end is stored with the session, apart from the records. A record that is lost at the end is therefore noticed, and
//! its place is not given to another one.

use std::sync::Arc;

use sea_orm::{ConnectionTrait, DbErr, Value};
use throughline_conversation::SessionId;

use crate::database::Database;
use crate::dialect::end_sql::end_sql;
use crate::dialect::{Dialect, statement};

/// The end as far as the sessions themselves say, if the log is too damaged to be asked.
const STORED: &str =
    "SELECT max(coalesce(last_seq, 0)) FROM sessions WHERE id = ?1 AND last_check = -last_seq";
/// A server checks its pages itself.
const ON_SERVER: &str = "SELECT coalesce(last_seq, 0) FROM sessions WHERE id = ?1";
const FROM_INDEX: &str = "SELECT max(seq) FROM log INDEXED BY log_by_kind WHERE session_id = ?1";
const NEWEST: &str = "SELECT max(seq) FROM log WHERE session_id = ?1";

/// The end of a session's log.
pub(crate) async fn end(database: &Arc<Database>, session: &SessionId) -> Result<i64, DbErr> {
    if Dialect::of(&database.connection) == Dialect::Postgres {
        return Ok(number(database, ON_SERVER, session).await?.unwrap_or(0));
    }
    match number(database, concat!("SELECT ", end_sql!("?1")), session).await {
        Ok(end) => Ok(end.unwrap_or(0)),
        Err(error) => match number(database, FROM_INDEX, session).await {
            Ok(Some(end)) => Ok(end),
            _ => match number(database, STORED, session).await {
                Ok(Some(end)) => Ok(end),
                _ => Err(error),
            },
        },
    }
}

/// The newest record that is left.
pub(crate) async fn newest(database: &Arc<Database>, session: &SessionId) -> Result<Option<i64>, DbErr> {
    number(database, NEWEST, session).await
}

/// The first record that is left after a place.
pub(crate) async fn first_after(
    database: &Arc<Database>,
    session: &SessionId,
    after: i64,
) -> Result<Option<i64>, DbErr> {
    let values: [Value; 2] = [session.as_str().into(), after.into()];
    let sql = "SELECT min(seq) FROM log WHERE session_id = ? AND seq > ?";
    one(database, sql, values).await
}

async fn number(database: &Arc<Database>, sql: &str, session: &SessionId) -> Result<Option<i64>, DbErr> {
    one(database, sql, [session.as_str().into()]).await
}

async fn one<const N: usize>(
    database: &Arc<Database>,
    sql: &str,
    values: [Value; N],
) -> Result<Option<i64>, DbErr> {
    let connection = &database.connection;
    let row = connection.query_one_raw(statement(connection, sql, values)).await?;
    row.map_or(Ok(None), |row| row.try_get_by_index(0))
}
