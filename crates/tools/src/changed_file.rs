//! The files that a call changed, as its tool reports them.

use std::path::PathBuf;

/// The files that a call changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedFiles {
    /// In the order of the changes.
    pub files: Vec<ChangedFile>,
    /// Reasons why further changes may have been made that are not reported.
    pub unreported: Vec<String>,
}

/// A file that a call changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Its absolute path, with symbolic links resolved.
    pub path: PathBuf,
    /// What it was.
    pub before: FileContent,
    /// What it is now.
    pub after: FileContent,
}

/// The content of a file at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileContent {
    /// The file does not exist.
    Missing,
    /// The file is read.
    Read {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Its permission bits.
        mode: u32,
    },
    /// The file exists and is not read, for this reason.
    Unread(String),
}

impl ChangedFiles {
    /// Returns true if nothing was changed, and nothing may have been.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.unreported.is_empty()
    }
}
