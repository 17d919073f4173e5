//! What comes out of a query.

use throughline_conversation::Seq;

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
    pub unread: Option<Seq>,
}
