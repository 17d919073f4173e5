//! The port to what runs queries over a history.

use std::fmt::Debug;

use async_trait::async_trait;
use throughline_conversation::SessionId;

use crate::answer::QueryAnswer;
use crate::error::QueryError;
use crate::source::SessionHistory;

/// Runs a query, written by a model, over the history of one session.
///
/// # Contract
/// - The query MUST see one table, `messages`, with the columns of [`COLUMNS`](crate::COLUMNS), and exactly the rows that
///   [`SessionHistory::rows_after`] gives for place 0. It MUST NOT see another session, a file, or any other
///   state of the process.
/// - Only one statement that reads MUST run. Everything else is [`QueryError::Refused`] and changes nothing, for
///   this query or for a later one.
/// - An answer MUST come within a time that the database knows, whatever the statement; else
///   [`QueryError::TooSlow`].
/// - Text MUST come back as the log has it, whatever characters it holds; a cell may be cut at its end, and then
///   says how long all of it is.
/// - What a call costs, besides the query itself, MUST depend on what the log has gained since the last one.
///
/// # When it fails
/// The model reads the error, which says what to write instead, and continues. Nothing is retried.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait HistoryDatabase: Debug + Send + Sync {
    /// Runs one query over a session's current history.
    async fn query<'a>(&self, history: &SessionHistory<'a>, sql: &str) -> Result<QueryAnswer, QueryError>;

    /// Drops the state of a session between calls: its rows were deleted permanently, or it was closed.
    async fn forget(&self, session: &SessionId);
}

const _: Option<&dyn HistoryDatabase> = None;
