//! What can be wrong with a task file.

/// Why a text cannot be read as a task file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}; {fix}")]
pub struct TaskError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
    /// What to write instead.
    pub fix: String,
}

impl TaskError {
    pub(crate) fn at(line: usize, what: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { line, what: what.into(), fix: fix.into() }
    }
}
