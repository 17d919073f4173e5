//! The port to the state of a Git working tree.

use std::error::Error;
use std::fmt::Debug;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

/// The status of a working tree. Paths are relative to the top of the tree, with `/` between folders:
/// neither quoted nor escaped; bytes that are no UTF-8 are shown as U+FFFD.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GitStatus {
    /// The branch. Empty: HEAD is detached.
    pub branch: String,
    /// The commit that HEAD names, in full. Empty: no commit yet.
    pub head_commit: String,
    /// Tracked files that differ from the commit: changed, added, renamed (by the new name), deleted, in conflict. Sorted.
    pub modified: Vec<String>,
    /// Files that Git does not know and does not ignore. Sorted.
    pub untracked: Vec<String>,
}

/// Looks at a Git working tree.
///
/// # Contract
/// - Both methods MUST change nothing in the repository, and MUST NOT wait for a lock of another process.
/// - They MUST answer within a few seconds, by an error if need be.
/// - They MUST look at the tree that they were made for, whatever the environment says of another repository.
///
/// # When it fails
/// A handoff is made without what Git knows: those fields are empty.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait GitProbe: Debug + Send + Sync {
    /// How the tree stands now.
    async fn status(&self) -> Result<GitStatus, GitError>;

    /// The branch and the commit alone. It looks at no file, so it costs the same in a tree of any size; the lists are empty.
    async fn head(&self) -> Result<GitStatus, GitError>;
}

const _: Option<&dyn GitProbe> = None;

/// Why the tree could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// The folder is in no repository, or in one without a working tree.
    #[error("{0} is not in a Git working tree")]
    NoRepository(String),
    /// There is no program `git`.
    #[error("the program git was not found; install it, or put its folder into PATH")]
    NoGit,
    /// It took too long.
    #[error("git gave no answer within {0} ms")]
    TimedOut(u64),
    /// Git refused. The text is its own.
    #[error("git could not read the repository: {0}")]
    Refused(String),
    /// Nothing can be written into the repository's folder.
    #[error("{folder} cannot be written, so no branch can be created or checked out")]
    Unwritable {
        /// The folder of the repository.
        folder: String,
        /// Why.
        source: std::io::Error,
    },
    /// Anything else.
    #[error("git could not be asked")]
    Other(#[source] Box<dyn Error + Send + Sync>),
}
