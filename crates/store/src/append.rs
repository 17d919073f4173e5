//! Appending rows to a session's log.

use sea_orm::{ConnectionTrait, DbErr};
use throughline_conversation::SessionId;

use crate::dialect::{self, Dialect};
use crate::row::Row;

/// Maximum number of rows of one statement.
pub(crate) const MAX_ROWS: usize = 100;

/// Appends rows. `false`: the log does not end right before the first of them, or another process has the session, and
/// nothing was changed.
///
/// The rows follow each other without a gap and are at most [`MAX_ROWS`]. `token` is that of the lease of this process.
pub(crate) async fn append(
    connection: &impl ConnectionTrait,
    session: &SessionId,
    rows: &[Row],
    token: Option<i64>,
) -> Result<bool, DbErr> {
    if rows.is_empty() {
        return Ok(true);
    }
    let append = dialect::append(Dialect::of(connection), session, rows, token);
    Ok(connection.execute_raw(append).await?.rows_affected() > 0)
}
