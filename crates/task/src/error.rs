//! What can be wrong with a task file.

/// Why a text is no task file. Mend the line and start again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}; {mend}")]
pub struct TaskError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
    /// What to write instead.
    pub mend: String,
}

impl TaskError {
    pub(crate) fn at(line: usize, what: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { line, what: what.into(), mend: mend.into() }
    }
}
