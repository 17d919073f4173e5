//! The session's history as a table that the model queries by SQL: the tool `query_db`.
//!
//! [`history_rows`] turns the records of a log into rows of the table `messages`. [`HistoryDatabase`] is the port to what
//! runs a query over them; `query` implements it on SQLite. [`SessionHistory`] reads the rows from the log, and
//! [`QueryAnswer::page`] formats an answer for the model. The feature `contract` holds the checks that every
//! implementation of the port passes.
//!
//! It does NOT know SQL, how the log is stored, or which groups are hidden: the caller passes their [`GroupMarks`].

mod answer;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod database;
mod error;
mod page;
mod row;
mod rows;
mod source;
mod tool;

pub use answer::{Cell, QueryAnswer};
pub use database::HistoryDatabase;
#[cfg(any(test, feature = "mock"))]
pub use database::MockHistoryDatabase;
pub use error::QueryError;
pub use page::{PageSize, QueryPage};
pub use row::{COLUMNS, HistoryRow, RowKind, RowRole, RowStatus};
pub use rows::{GroupMarks, PARTS_PER_RECORD, history_rows, row_id};
pub use source::{HistoryPart, SessionHistory};
pub use tool::{query_db_tool, sql_from_input};
