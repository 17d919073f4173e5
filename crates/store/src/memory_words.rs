//! The index of words that memos and chunks are found by.
//!
//! A text is split into terms before it comes here, and so is a question. The terms consist of letters and digits
//! alone, so nothing that anybody wrote is ever read as the syntax of a full-text query.

use sea_orm::{ConnectionTrait, DbErr};
use throughline_memory::{NoteError, terms};

use crate::database::Database;
use crate::dialect::{Dialect, statement};

/// What an entry of the index means, by the number of its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    Memo(i64),
    Chunk(i64),
}

impl Entry {
    fn rowid(self) -> i64 {
        match self {
            Self::Memo(row) => row.saturating_mul(2),
            Self::Chunk(row) => row.saturating_mul(2).saturating_add(1),
        }
    }
}

/// Puts a text and its tags into the index.
pub(crate) async fn add(
    connection: &impl ConnectionTrait,
    entry: Entry,
    text: &str,
    tags: &[String],
) -> Result<(), DbErr> {
    index(connection, entry, [text, &tags.join(" ")], false).await
}

/// Replaces by them what the entry had.
pub(crate) async fn replace(
    connection: &impl ConnectionTrait,
    entry: Entry,
    text: &str,
    tags: &[String],
) -> Result<(), DbErr> {
    index(connection, entry, [text, &tags.join(" ")], true).await
}

async fn index(
    connection: &impl ConnectionTrait,
    entry: Entry,
    [text, tags]: [&str; 2],
    replace: bool,
) -> Result<(), DbErr> {
    let dialect = Dialect::of(connection);
    let (sql, values) = dialect.index_words(entry.rowid(), &terms(text), &terms(tags), replace);
    connection.execute_raw(statement(connection, sql, values)).await.map(|_| ())
}

/// A limit as a database takes it.
pub(crate) fn limit(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

/// What an error means to the memory.
pub(crate) fn failed(database: &Database, error: DbErr) -> NoteError {
    let fault = database.fault(error);
    if fault.is_unwritable() { NoteError::Full(fault.to_string()) } else { NoteError::Other(fault.into()) }
}
