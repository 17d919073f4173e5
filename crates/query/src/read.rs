//! Running one statement and taking what it gives.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Result, Row, Statement};
use throughline_history::{Cell, QueryAnswer, QueryError};
use throughline_text::cut_end;

use crate::limits::Limits;

/// Compiles a statement and makes sure that it only reads.
pub(crate) enum Compiled<'a> {
    /// It may run.
    Ready(Statement<'a>),
    /// It may not, and this is why.
    Refused(QueryError),
}

/// Compiles one statement.
pub(crate) fn compile<'a>(connection: &'a Connection, sql: &str) -> Result<Compiled<'a>> {
    let statement = connection.prepare(sql)?;
    let refused = if statement.is_explain() != 0 {
        Some("EXPLAIN is not allowed; send the SELECT itself")
    } else if statement.column_count() == 0 || !statement.readonly() {
        Some("only one SELECT (or WITH … SELECT) over messages runs")
    } else if statement.parameter_count() > 0 {
        Some("parameters (?, :name) have no value here; write the values into the statement")
    } else {
        None
    };
    Ok(match refused {
        None => Compiled::Ready(statement),
        Some(why) => Compiled::Refused(QueryError::Refused(why.to_owned())),
    })
}

/// Runs a statement until it ends or the answer is full.
pub(crate) fn run(statement: &mut Statement<'_>, limits: &Limits) -> Result<QueryAnswer> {
    let columns: Vec<String> = statement.column_names().into_iter().map(str::to_owned).collect();
    let mut answer = QueryAnswer { columns, ..QueryAnswer::default() };
    let mut bytes = 0_usize;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        if answer.rows.len() >= limits.rows || bytes > limits.bytes {
            answer.more = true;
            break;
        }
        let cells = cells(row, answer.columns.len(), limits.bytes)?;
        bytes = cells.iter().map(size).fold(bytes, usize::saturating_add);
        answer.rows.push(cells);
    }
    Ok(answer)
}

fn cells(row: &Row<'_>, columns: usize, most: usize) -> Result<Vec<Cell>> {
    (0..columns).map(|column| Ok(cell(row.get_ref(column)?, most))).collect()
}

fn cell(value: ValueRef<'_>, most: usize) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(bytes) => {
            let text = String::from_utf8_lossy(bytes);
            Cell::Text { text: cut_end(&text, most).to_owned(), chars: text.chars().count() }
        }
        ValueRef::Blob(bytes) => Cell::Blob { bytes: bytes.len() },
    }
}

/// About what a cell takes in the answer.
fn size(cell: &Cell) -> usize {
    match cell {
        Cell::Text { text, .. } => text.len() + 2,
        _ => 8,
    }
}
