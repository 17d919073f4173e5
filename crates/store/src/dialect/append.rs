//! The statement that appends rows to a session's log.
//!
//! It appends up to a hundred rows, and only if they continue the log: whether they do is asked in the statement itself,
//! which the database runs as a whole or not at all. So an append is one trip to the database, and no other writer can come
//! between the question and the answer.
//!
//! SQLite has one writer at a time, and triggers of the table store where the log ends. On PostgreSQL the statement moves
//! the end first, which locks the session's row until the rows are there, and asks for the lease in the same breath.

use sea_orm::{Statement, Value};
use throughline_conversation::SessionId;

use super::Dialect;
use crate::dialect::end_sql::end_sql;
use crate::row::Row;

const INTO_LOG: &str = "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload)";
/// The columns of a list of values.
const COLUMNS: &str = "column1, column2, column3, column4, column5, column6";

/// The statement. `token` is that of the lease of this process; `None`: it has none, and appends only while no process has
/// one.
pub(crate) fn append(dialect: Dialect, session: &SessionId, rows: &[Row], token: Option<i64>) -> Statement {
    match dialect {
        Dialect::Sqlite => dialect.statement(sqlite(rows.len()), sqlite_values(session, rows)),
        Dialect::Postgres => {
            dialect.statement(postgres(rows.len(), token.is_some()), postgres_values(session, rows, token))
        }
    }
}

/// Six values for each row.
fn row_values(dialect: Dialect, rows: &[Row]) -> impl Iterator<Item = Value> {
    rows.iter().flat_map(move |row| {
        [
            row.seq.into(),
            row.kind.into(),
            row.exchange.into(),
            row.at.into(),
            row.digest.into(),
            dialect.text(row.payload.clone()),
        ]
    })
}

/// The session, six for each row, the session three more times, and the place that the log must end at.
fn sqlite_values(session: &SessionId, rows: &[Row]) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::with_capacity(5 + rows.len() * 6);
    values.push(session.as_str().into());
    values.extend(row_values(Dialect::Sqlite, rows));
    values.extend([session.as_str(), session.as_str(), session.as_str()].map(Value::from));
    values.push((rows.first().map_or(0, |row| row.seq) - 1).into());
    values
}

/// The values have no numbers in the text: SQLite stores names of values in a list, and looking each up would cost the
/// square of their number.
fn sqlite(rows: usize) -> String {
    let mut sql = String::with_capacity(256 + rows * 14);
    sql.push_str(&format!("{INTO_LOG} SELECT ?, {COLUMNS} FROM (VALUES "));
    for row in 0..rows {
        sql.push_str(if row == 0 { "(?,?,?,?,?,?)" } else { ",(?,?,?,?,?,?)" });
    }
    sql.push_str(") WHERE ");
    sql.push_str(end_sql!("?"));
    sql.push_str(" = ?");
    sql
}

/// The session, the place that the log must end at, the one that it ends at afterwards, the token, and six for each row.
fn postgres_values(session: &SessionId, rows: &[Row], token: Option<i64>) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::with_capacity(4 + rows.len() * 6);
    values.push(session.as_str().into());
    values.push((rows.first().map_or(0, |row| row.seq) - 1).into());
    values.push(rows.last().map_or(0, |row| row.seq).into());
    values.extend(token.map(Value::from));
    values.extend(row_values(Dialect::Postgres, rows));
    values
}

/// The lease is locked until the rows are there: a process that takes it over waits, and then sees them.
const HELD: &str =
    "lease AS MATERIALIZED (SELECT 1 FROM session_leases WHERE session_id = $1 AND token = $4 FOR SHARE), ";
const MINE: &str = "EXISTS (SELECT 1 FROM lease)";
const FREE: &str =
    "NOT EXISTS (SELECT 1 FROM session_leases WHERE session_id = $1 AND expires > clock_timestamp())";

/// Moves the end of the log; no row: it does not end where the records begin, or another process has the session.
const OWN: &str = "UPDATE sessions SET last_seq = $3, written = CASE \
                   WHEN written = (SELECT last_value FROM sessions_written) THEN written \
                   ELSE nextval('sessions_written') END \
                   WHERE id = $1 AND MAY_WRITE AND coalesce(last_seq, 0) = $2 RETURNING id";

fn postgres(rows: usize, has_token: bool) -> String {
    let (held, may_write) = if has_token { (HELD, MINE) } else { ("", FREE) };
    let own = OWN.replace("MAY_WRITE", may_write);
    let mut sql = format!("WITH {held}own AS ({own}) {INTO_LOG} SELECT $1, {COLUMNS} FROM (VALUES ");
    let mut next = if has_token { 5 } else { 4 };
    for row in 0..rows {
        sql.push_str(if row == 0 { "(" } else { ",(" });
        for column in 0..6 {
            let comma = if column == 0 { "" } else { "," };
            sql.push_str(&format!("{comma}${next}"));
            next += 1;
        }
        sql.push(')');
    }
    sql.push_str(") AS rows WHERE EXISTS (SELECT 1 FROM own)");
    sql
}
