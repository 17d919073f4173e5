//! The session's history as a table that the model asks by SQL: the tool `query_db`.
//!
//! [`history_rows`] makes rows of log records, [`HistoryDatabase`] is the port to what runs a query over them, and
//! [`QueryAnswer::page`] is how the model reads what came out.

mod error;
mod page;
mod row;
mod rows;
mod source;
mod tool;

use std::fmt::Debug;

use async_trait::async_trait;

pub use error::QueryError;
pub use page::{PageSize, QueryPage};
pub use row::{COLUMNS, HistoryRow, RowKind, RowRole, RowStatus};
pub use rows::{GroupMarks, PARTS_PER_RECORD, history_rows, row_id};
pub use source::{HistoryPart, SessionHistory};
pub use tool::{query_db_tool, sql_from_input};

/// One value of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// Text, or the start of one that is longer than a page.
    Text {
        /// What is there of it.
        text: String,
        /// Characters of all of it, as SQL counts them.
        chars: usize,
    },
    /// Bytes that are no text.
    Blob {
        /// How many.
        bytes: usize,
    },
}

/// What came out of a query.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct QueryAnswer {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// Whether there were more rows than the database gives out.
    pub more: bool,
    /// The log cannot be read up to this record, so its rows and all before it are missing.
    pub unread: Option<throughline_conversation::Seq>,
}

/// Runs a query, written by a model, over the history of one session.
///
/// # Contract
/// - The query MUST see one table, `messages`, with the columns of [`COLUMNS`], and exactly the rows that
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
/// The model reads the error, which says what to write instead, and goes on. Nothing is tried again.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait HistoryDatabase: Debug + Send + Sync {
    /// Runs one query over a session's history as it is now.
    async fn query<'a>(&self, history: &SessionHistory<'a>, sql: &str) -> Result<QueryAnswer, QueryError>;

    /// Forgets what is kept of a session between calls: its rows were deleted for good, or it was closed.
    async fn forget(&self, session: &throughline_conversation::SessionId);
}

const _: Option<&dyn HistoryDatabase> = None;
