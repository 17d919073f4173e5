//! Why a query has no answer. The texts are for the model: each says what to write instead.

use std::error::Error;

use throughline_continuity::LogError;

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The tool's input has another form than its schema.
    #[error("the input of query_db is not valid: {0}")]
    Input(String),
    /// The statement is one that may not run. The text says what is allowed.
    #[error("refused: {0}")]
    Refused(String),
    /// The statement is not valid over this table.
    #[error("the query does not work: {0}")]
    Sql(String),
    /// It ran too long and was stopped.
    #[error(
        "the query ran longer than {0} ms and was stopped; narrow it with WHERE (id, group_id, role, kind), add \
         LIMIT, and do not join messages to itself without a condition"
    )]
    TooSlow(u64),
    /// It needed too much memory, or made a value that is too long.
    #[error("the query needs too much memory: {0}")]
    TooLarge(String),
    /// The log cannot be read.
    #[error("the session's history could not be read")]
    Log(#[from] LogError),
    /// Anything else.
    #[error("the history database failed")]
    Other(#[source] Box<dyn Error + Send + Sync>),
}
