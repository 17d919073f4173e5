//! Appending rows to a session's log.
//!
//! One statement appends up to a hundred rows, and only if they continue the log: whether they do is asked in
//! the statement itself, which SQLite runs as a whole or not at all. So an append is one trip to the database,
//! and no other writer can come between the question and the answer.

use sea_orm::{ConnectionTrait, DbErr, Value};
use throughline_conversation::SessionId;

use crate::database::statement;
use crate::end::end_sql;
use crate::row::Row;

/// Most rows of one statement.
pub(crate) const MOST: usize = 100;

/// Appends rows. `false`: the log does not end right before the first of them, and nothing was changed.
///
/// The rows follow each other without a gap and are at most [`MOST`].
pub(crate) async fn append(
    connection: &impl ConnectionTrait,
    session: &SessionId,
    rows: &[Row],
) -> Result<bool, DbErr> {
    let Some(first) = rows.first() else {
        return Ok(true);
    };
    let mut values: Vec<Value> = Vec::with_capacity(5 + rows.len() * 6);
    values.push(session.as_str().into());
    for row in rows {
        values.extend([
            row.seq.into(),
            row.kind.into(),
            row.exchange.into(),
            row.at.into(),
            row.digest.into(),
            row.payload.as_str().into(),
        ]);
    }
    values.extend([session.as_str(), session.as_str(), session.as_str()].map(Value::from));
    values.push((first.seq - 1).into());
    let appended = connection.execute_raw(statement(sql(rows.len()), values)).await?;
    Ok(appended.rows_affected() > 0)
}

/// The values are the session, six for each row, the session three more times, and the place that the log must end at.
///
/// They have no numbers in the text: SQLite stores names of values in a list, and looking each up would cost the
/// square of their number.
fn sql(rows: usize) -> String {
    let mut sql = String::with_capacity(256 + rows * 14);
    sql.push_str(
        "INSERT INTO log (session_id, seq, kind, exchange, at, digest, payload) \
         SELECT ?, column1, column2, column3, column4, column5, column6 FROM (VALUES ",
    );
    for row in 0..rows {
        sql.push_str(if row == 0 { "(?,?,?,?,?,?)" } else { ",(?,?,?,?,?,?)" });
    }
    sql.push_str(") WHERE ");
    sql.push_str(end_sql!("?"));
    sql.push_str(" = ?");
    sql
}
