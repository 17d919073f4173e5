//! The port that hears of a file's change before it is made.

use std::fmt::Debug;

use crate::changed_file::ChangedFile;

/// Records what a file is before a tool changes it, so that the change can be undone even if the program is killed right
/// after it.
///
/// # Contract
/// - MUST have stored the earlier content when it returns `Ok`, or have reported why that is not possible.
/// - MAY block: file tools call it from a thread for blocking work.
/// - MUST accept a change that then fails: the file keeps the earlier content.
///
/// # When it fails
/// The tool does not change the file, and its output says so.
pub trait FileHistory: Debug + Send + Sync {
    /// Receives a change that is about to be made, or that a command of a sub-agent has made. The mode of a file that does not exist
    /// yet is a guess.
    ///
    /// # Errors
    /// [`TurnEnded`]: nothing records changes any more.
    fn before_change(&self, change: &ChangedFile) -> Result<(), TurnEnded>;
}

/// The turn of the call has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the turn has ended")]
pub struct TurnEnded;

const _: Option<&dyn FileHistory> = None;
