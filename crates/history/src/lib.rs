//! The session's history as a table that the model queries by SQL: the tool `query_db`.
//!
//! [`history_rows`] turns the records of a log into rows of the table `messages`. [`HistoryDatabase`] is the port to what
//! runs a query over them; `query` implements it on SQLite. [`SessionHistory`] reads the rows from the log, and
//! [`QueryAnswer::page`] formats an answer for the model. The feature `contract` holds the checks that every
//! implementation of the port passes.
//!
//! ```
//! use throughline_conversation::{
//!     ExchangeId, Message, MessageRecord, Millis, Record, RecordBody, Seq, Source,
//! };
//! use throughline_history::{GroupMarks, RowKind, history_rows};
//!
//! let message = MessageRecord { message: Message::user("Fix it."), source: Source::User, usage: None };
//! let body = RecordBody::Message(message);
//! let record = Record { seq: Seq(1), at: Millis(0), exchange: ExchangeId(1), body };
//! let rows = history_rows([record], &GroupMarks::default());
//! assert_eq!((rows[0].kind, rows[0].content.as_str()), (RowKind::Text, "Fix it."));
//! ```
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
pub use rows::{GroupMarks, HistoryRows, PARTS_PER_RECORD, history_rows, row_id};
pub use source::{HistoryPart, SessionHistory};
pub use tool::{query_db_tool, sql_from_input};
