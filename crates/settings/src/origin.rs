//! Where a value was written.

use std::fmt;

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// The user's own.
    User,
    /// The project's file, written by the project's authors.
    Project,
}

/// Where a value was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nowhere: it is the usual value.
    Default,
    /// In a file.
    File {
        /// Whose file.
        scope: Scope,
        /// The file's path, for display.
        file: String,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    /// In a variable of the environment.
    Variable(String),
    /// In an option of the command line.
    Flag(String),
}

impl Origin {
    /// Returns true if a project's file says it.
    #[must_use]
    pub fn is_project(&self) -> bool {
        matches!(self, Self::File { scope: Scope::Project, .. })
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => out.write_str("default"),
            Self::File { file, line, column, .. } => write!(out, "{file}:{line}:{column}"),
            Self::Variable(name) => write!(out, "${name}"),
            Self::Flag(name) => out.write_str(name),
        }
    }
}

/// The line and the column of a byte of a text.
pub(crate) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
