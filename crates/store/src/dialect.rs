//! What differs between SQLite and PostgreSQL: the marks of values, types, functions, and statements that cannot be written
//! the same for both.
//!
//! Statements are written with the marks of SQLite (`?`, `?1`). What an error means is in `fault`, how PostgreSQL tells it
//! in [`sqlstate`].

mod append;
pub(crate) mod end_sql;
pub(crate) mod sqlstate;

use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};
use throughline_memory::Query;

pub(crate) use append::append;

/// The SQL of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Sqlite,
    Postgres,
}

/// Records the key of a database file, unless one is recorded.
pub(crate) const RECORD_KEY: &str = "INSERT OR IGNORE INTO encryption (one, key_id) VALUES (1, ?)";

const USAGE_RECORDS: &str = include_str!("usage_records.sql");
const MEMORY_SEARCH: &str = include_str!("memory_search.sql");
const MEMORY_SEARCH_BY_VECTOR: &str = include_str!("dialect/memory_search.sql");

impl Dialect {
    /// That of a connection.
    pub(crate) fn of(connection: &impl ConnectionTrait) -> Self {
        match connection.get_database_backend() {
            DbBackend::Postgres => Self::Postgres,
            _ => Self::Sqlite,
        }
    }

    fn statement(self, sql: String, values: impl IntoIterator<Item = Value>) -> Statement {
        match self {
            Self::Sqlite => Statement::from_sql_and_values(DbBackend::Sqlite, sql, values),
            Self::Postgres => Statement::from_sql_and_values(DbBackend::Postgres, numbered(&sql), values),
        }
    }

    /// A text in a column that is read as bytes.
    pub(crate) fn text(self, text: String) -> Value {
        match self {
            Self::Sqlite => text.into(),
            Self::Postgres => text.into_bytes().into(),
        }
    }

    /// A text that is only shown, in a column of texts: PostgreSQL takes none with U+0000.
    pub(crate) fn text_without_nul(self, text: &str) -> String {
        match self {
            Self::Sqlite => text.to_owned(),
            Self::Postgres => text.replace('\0', "\u{fffd}"),
        }
    }

    /// The function that finds a text in another one; 0: it is not in it.
    pub(crate) fn position(self) -> &'static str {
        match self {
            Self::Sqlite => "instr",
            Self::Postgres => "strpos",
        }
    }

    /// Compares the payload of a record with the pattern that is the value of this number, whatever the case of letters in
    /// ASCII; and finds letters outside of ASCII whose lower case has a k or an i: the Kelvin sign and the dotted capital I.
    pub(crate) fn payload_like(self, number: usize) -> (String, &'static str) {
        match self {
            Self::Sqlite => (
                format!("payload LIKE ?{number}"),
                " OR instr(payload, char(8490)) OR instr(payload, char(304))",
            ),
            // Bytes that are no text are no error. The collation takes no rules for case from the place of the server.
            Self::Postgres => (
                format!("encode(payload, 'escape') COLLATE \"C\" ILIKE ?{number}"),
                " OR position('\\xe284aa'::bytea IN payload) > 0 OR position('\\xc4b0'::bytea IN payload) > 0",
            ),
        }
    }

    /// Selects the records that say what requests have used.
    pub(crate) fn usage_records(self) -> String {
        match self {
            Self::Sqlite => USAGE_RECORDS.to_owned(),
            // The sign keeps SQLite from using an index.
            Self::Postgres => USAGE_RECORDS.replace("+kind", "kind"),
        }
    }

    /// Selects memos and chunks, best first, and its first value: what is searched for.
    pub(crate) fn memory_search(self, query: &Query) -> (&'static str, String) {
        match self {
            Self::Sqlite => {
                let quote = |term: &String| format!("\"{}\"", term.replace('"', "\"\""));
                let quoted: Vec<String> = query.terms().iter().map(quote).collect();
                (MEMORY_SEARCH, quoted.join(" OR "))
            }
            Self::Postgres => (MEMORY_SEARCH_BY_VECTOR, query.terms().join(" ")),
        }
    }

    /// Puts words and tags into the index of words, or replaces those that the entry had.
    pub(crate) fn index_words(
        self,
        entry: i64,
        words: &[String],
        tags: &[String],
        replace: bool,
    ) -> (&'static str, Vec<Value>) {
        match self {
            Self::Sqlite => {
                let sql = if replace {
                    "UPDATE memory_fts SET words = ?, tags = ? WHERE rowid = ?"
                } else {
                    "INSERT INTO memory_fts (words, tags, rowid) VALUES (?, ?, ?)"
                };
                (sql, vec![words.join(" ").into(), tags.join(" ").into(), entry.into()])
            }
            Self::Postgres => {
                let sql = if replace {
                    "UPDATE memory_fts SET words = ?::tsvector, size = ? WHERE rowid = ?"
                } else {
                    "INSERT INTO memory_fts (words, size, rowid) VALUES (?::tsvector, ?, ?)"
                };
                let size = (words.len() + tags.len()) as i64;
                (sql, vec![vector(words, tags).into(), size.into(), entry.into()])
            }
        }
    }

    /// Records the key of the database, unless one is recorded.
    pub(crate) fn record_key(self) -> &'static str {
        match self {
            Self::Sqlite => RECORD_KEY,
            Self::Postgres => "INSERT INTO encryption (one, key_id) VALUES (1, ?) ON CONFLICT DO NOTHING",
        }
    }
}

/// A statement for a connection, in its dialect.
pub(crate) fn statement(
    connection: &impl ConnectionTrait,
    sql: impl Into<String>,
    values: impl IntoIterator<Item = Value>,
) -> Statement {
    Dialect::of(connection).statement(sql.into(), values)
}

/// Marks values by `$` and their numbers. No statement of this crate has a question mark in a text.
fn numbered(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len() + 16);
    let mut parts = sql.split('?');
    out.push_str(parts.next().unwrap_or_default());
    for (number, part) in (1_usize..).zip(parts) {
        out.push('$');
        if !part.starts_with(|letter: char| letter.is_ascii_digit()) {
            out.push_str(&number.to_string());
        }
        out.push_str(part);
    }
    out
}

/// A `tsvector` of words and tags: weight A is that of tags. PostgreSQL counts at most 256 places of a word, up to the place
/// 16383 of a text.
fn vector(words: &[String], tags: &[String]) -> String {
    let mut vector = String::new();
    let weighted = words.iter().map(|word| (word, "")).chain(tags.iter().map(|tag| (tag, "A")));
    for (place, (word, weight)) in (1_usize..).zip(weighted) {
        let word = word.replace('\\', "\\\\").replace('\'', "''");
        vector.push_str(&format!("'{word}':{}{weight} ", place.min(LAST_PLACE)));
    }
    vector
}

/// The last place of a word in a `tsvector`.
const LAST_PLACE: usize = 16_383;

#[cfg(test)]
mod tests;
