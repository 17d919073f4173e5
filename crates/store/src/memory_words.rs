//! The index of words that memos and chunks are found by.
//!
//! A text is split into terms before it comes here, and so is a question. The terms consist of letters and digits
//! alone, so nothing that anybody wrote is ever read as the syntax of a full-text query.

use sea_orm::{ConnectionTrait, DbErr, Value};
use throughline_memory::{NoteError, terms};

use crate::database::{Database, statement};

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
    let [words, tags] = columns(text, tags);
    let sql = "INSERT INTO memory_fts (words, tags, rowid) VALUES (?, ?, ?)";
    connection.execute_raw(statement(sql, [words, tags, entry.rowid().into()])).await.map(|_| ())
}

/// Replaces by them what the entry had.
pub(crate) async fn replace(
    connection: &impl ConnectionTrait,
    entry: Entry,
    text: &str,
    tags: &[String],
) -> Result<(), DbErr> {
    let [words, tags] = columns(text, tags);
    let sql = "UPDATE memory_fts SET words = ?, tags = ? WHERE rowid = ?";
    connection.execute_raw(statement(sql, [words, tags, entry.rowid().into()])).await.map(|_| ())
}

fn columns(text: &str, tags: &[String]) -> [Value; 2] {
    let tags: Vec<String> = tags.iter().flat_map(|tag| terms(tag)).collect();
    [terms(text).join(" ").into(), tags.join(" ").into()]
}

/// A full-text query that finds what has one of the terms. Each is a string of its own: in quotes, nothing in it
/// has a meaning.
pub(crate) fn any_of(terms: &[String]) -> String {
    let quoted: Vec<String> = terms.iter().map(|term| format!("\"{}\"", term.replace('"', "\"\""))).collect();
    quoted.join(" OR ")
}

/// A limit as SQLite takes it.
pub(crate) fn limit(limit: usize) -> u64 {
    (limit as u64).min(i64::MAX.unsigned_abs())
}

/// What an error means to the memory.
pub(crate) fn failed(database: &Database, error: DbErr) -> NoteError {
    let fault = database.fault(error);
    if fault.is_unwritable() { NoteError::Full(fault.to_string()) } else { NoteError::Other(fault.into()) }
}
