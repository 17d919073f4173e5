//! Notices a database or lock file that was removed, moved or replaced while it is open.
//!
//! The operating system keeps a removed file until it is closed. Writes to it succeed, and are lost.

use std::fs::{File, Metadata};
use std::path::Path;

/// The file that was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FileIdentity {
    device: u64,
    inode: u64,
}

impl FileIdentity {
    /// The file at a path. `None`: there is no file, or the system has no such numbers.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        path.metadata().ok().and_then(|found| Self::from(&found))
    }

    /// An open file. `None`: the system has no such numbers.
    pub(crate) fn of_open(file: &File) -> Option<Self> {
        file.metadata().ok().and_then(|found| Self::from(&found))
    }

    #[cfg(unix)]
    fn from(found: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self { device: found.dev(), inode: found.ino() })
    }

    #[cfg(not(unix))]
    fn from(_found: &Metadata) -> Option<Self> {
        None
    }
}
