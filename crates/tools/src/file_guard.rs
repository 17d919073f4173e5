//! The port to whoever says which files a search may show.

use std::fmt::Debug;
use std::path::Path;

/// Says which files stay hidden from what goes through folders: a call that names a folder reads files that it does not
/// name.
///
/// # Contract
/// - MUST answer at once, from what it knows: a search asks for every file.
/// - MUST hide what it cannot decide.
/// - MUST give the same answer for the same file during a call.
///
/// # When it fails
/// It does not.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
pub trait FileGuard: Debug + Send + Sync {
    /// Whether this file is left out. `shown` is its name from the workspace on, or from the root on when it is elsewhere;
    /// `real` is its place with links followed.
    fn hides(&self, shown: &str, real: &Path) -> bool;
}

const _: Option<&dyn FileGuard> = None;
