//! The port that decides which files a search may show.

use std::fmt::Debug;
use std::path::Path;

/// Hides files from tools that walk folders: a call that names a folder reads files that it does not name.
///
/// # Contract
/// - MUST answer at once, without I/O: a search asks for every file.
/// - MUST hide a file if it cannot decide.
/// - MUST give the same answer for the same file throughout a call.
///
/// # When it fails
/// It cannot fail.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
pub trait FileGuard: Debug + Send + Sync {
    /// Returns true if this file must be skipped. `shown` is its path relative to the workspace, or absolute if it is
    /// outside; `real` is its absolute path with symbolic links resolved.
    fn hides(&self, shown: &str, real: &Path) -> bool;
}

const _: Option<&dyn FileGuard> = None;
