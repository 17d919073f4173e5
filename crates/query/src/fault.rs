//! What an error of SQLite means for the model that wrote the statement.

use rusqlite::{Error, ErrorCode};
use throughline_history::{COLUMNS, QueryError};

use crate::authorizer::FUNCTIONS;

/// What to write instead of what was refused.
const ALLOWED: &str = "only one SELECT (or WITH … SELECT) over messages runs";

/// An error of the statement. `refused` is what the authorizer did not allow, when it did not.
pub(crate) fn fault(error: Error, refused: Option<String>, deadline_ms: u64) -> QueryError {
    if let Some(what) = refused {
        let hint = hint(&what);
        return QueryError::Refused(format!("{what}; {hint}"));
    }
    match error {
        Error::MultipleStatement => {
            QueryError::Refused("there is more than one statement; send one SELECT alone".to_owned())
        }
        Error::SqliteFailure(failure, message) => {
            of_code(failure.code, &message.unwrap_or_else(|| failure.to_string()), deadline_ms)
        }
        Error::SqlInputError { error, msg, .. } => of_code(error.code, &msg, deadline_ms),
        Error::Utf8Error(..) => QueryError::Sql("it is not valid UTF-8".to_owned()),
        other => QueryError::Other(Box::new(other)),
    }
}

fn of_code(code: ErrorCode, message: &str, deadline_ms: u64) -> QueryError {
    match code {
        ErrorCode::OperationInterrupted => QueryError::TooSlow(deadline_ms),
        ErrorCode::TooBig if message.contains("statement") => {
            QueryError::Sql("the statement is longer than 20,000 characters".to_owned())
        }
        ErrorCode::TooBig => QueryError::TooLarge(
            "a value would be much longer than any text of the history; use substr(content, start, length)"
                .to_owned(),
        ),
        ErrorCode::OutOfMemory => QueryError::TooLarge(
            "it was stopped; select fewer rows and columns, and use fewer subqueries".to_owned(),
        ),
        ErrorCode::ReadOnly | ErrorCode::AuthorizationForStatementDenied => {
            QueryError::Refused(format!("the history cannot be changed; {ALLOWED}"))
        }
        _ => QueryError::Sql(with_hint(message)),
    }
}

fn hint(refused: &str) -> String {
    if refused.starts_with("the function") {
        format!("these are: {}", functions())
    } else if refused.contains("table") || refused.starts_with("PRAGMA") {
        format!("the only table is messages({})", COLUMNS.join(", "))
    } else {
        ALLOWED.to_owned()
    }
}

fn with_hint(message: &str) -> String {
    // A user's function tells its reason without more.
    let names = COLUMNS.join(", ");
    if message.starts_with("no such column") {
        let quotes = if message.contains("string literal") { "" } else { "; texts are in 'single quotes'" };
        format!("{message}; messages has: {names}{quotes}")
    } else if message.starts_with("no such table") {
        format!("{message}; the only table is messages({names})")
    } else if message.starts_with("no such function") {
        format!("{message}; there are: {}", functions())
    } else if message.starts_with("ambiguous column") {
        format!("{message}; write the table's alias before it, as in m.content")
    } else if message.contains("pattern too complex") {
        "a pattern of LIKE or GLOB has at most 100 characters; use instr(content, '…') > 0 for a longer text"
            .to_owned()
    } else {
        message.to_owned()
    }
}

fn functions() -> String {
    let names: Vec<&str> = FUNCTIONS
        .iter()
        .copied()
        .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic()))
        .collect();
    names.join(", ")
}
