//! Errors of a user's table.

use std::io;
use std::path::PathBuf;

/// Why a model file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file cannot be read. Fix the path or its permissions.
    #[error("cannot read the model file {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// An entry has a value that it cannot have. Fix the line.
    #[error("the model file {}, line {line}, {key}: {fix}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// The line, counted from one.
        line: usize,
        /// The key that is wrong, in back-quotes; with the entry's name where that is known.
        key: String,
        /// The problem and the remedy.
        fix: String,
    },
}
