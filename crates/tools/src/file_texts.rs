//! The port to texts of files that differ from the disk.

use std::fmt::Debug;
use std::path::Path;

use crate::cancel::CancelFlag;

/// Knows the texts of files as their user sees them: an editor has buffers that are not saved. Without it, or where it has no
/// text, file tools read and write the disk.
///
/// A tool asks only for a regular file that the call may read, and writes only where the call may write: the folders, the
/// protected files and the permissions of the session hold as for the disk.
///
/// # Contract
/// - MAY block: file tools call it from a thread for blocking work. MUST end soon after the flag is raised.
/// - MUST give the whole text.
/// - MUST have passed on the whole text when [`write`](Self::write) returns `true`, and MUST have changed nothing when it
///   returns `false` or an error.
///
/// # When it fails
/// The call fails with the reason. The disk is not used instead: what the user sees could be lost.
pub trait FileTexts: Debug + Send + Sync {
    /// The text of the file at an absolute path without symbolic links. `None`: the disk has it.
    ///
    /// # Errors
    /// Why it cannot be known, for the model.
    fn read(&self, file: &Path, cancel: &CancelFlag) -> Result<Option<String>, String>;

    /// Replaces the text of a file, or makes the file. `false`: it is to be written to the disk.
    ///
    /// # Errors
    /// Why it was not written, for the model.
    fn write(&self, file: &Path, text: &str, cancel: &CancelFlag) -> Result<bool, String>;
}

const _: Option<&dyn FileTexts> = None;
