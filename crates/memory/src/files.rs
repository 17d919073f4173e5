//! The port to memory files: `MEMORY.md` and `memory/*.md`.

use std::fmt::Debug;

use async_trait::async_trait;

/// A memory file, without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryFile {
    /// Its full path; no two files have the same.
    pub path: String,
    /// The name that it is cited by: relative to the workspace where that is possible.
    pub name: String,
    /// The workspace that it belongs to; `None`: it is the user's own, for every workspace.
    pub workspace: Option<String>,
    /// A text that is another one when the file's content is another one.
    pub stamp: String,
}

/// Why memory files cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// The disk does not give them.
    #[error("{path} cannot be read")]
    Unreadable {
        /// File or folder.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// Anything else.
    #[error("the memory files are out of reach")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Where memory files are.
///
/// # Contract
/// - [`list`](MemoryFiles::list) MUST give all files, in the order in which they are shown when there is no room for
///   all: `MEMORY.md` of the workspace, that of the user, then fragments by name. A missing folder has no
///   files.
/// - Every listed file MUST be of this workspace or of none.
/// - `list` MUST give another stamp when the content has changed since.
/// - [`read`](MemoryFiles::read) MUST give the whole text, bytes that are no UTF-8 replaced; `None` when the file is
///   gone. It MUST NOT read what was not listed.
///
/// # When it fails
/// The search uses the previous index, and the prompt keeps its previous sections.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait MemoryFiles: Debug + Send + Sync {
    /// The workspace. Files of others are never touched.
    fn workspace(&self) -> String;

    /// The files that there are.
    async fn list(&self) -> Result<Vec<MemoryFile>, FilesError>;

    /// The text of a listed file.
    async fn read(&self, file: &MemoryFile) -> Result<Option<String>, FilesError>;
}

const _: Option<&dyn MemoryFiles> = None;
