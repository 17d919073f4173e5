//! Temporary folders that do not outlive their process.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::thread;

use rustix::fs::OFlags;

use crate::remove_tree::remove_tree;

/// What the names of the folders begin with. No other file of this program is called so.
const PREFIX: &str = "throughline-temp-";

/// A cleanup may take a folder between its creation and its lock, which is then created again.
const ATTEMPTS: usize = 8;

/// A folder for temporary files that only its user can read. It is removed with this value.
///
/// Its owner holds a lock on the folder, which the kernel releases when the process ends, however it ends. The first folder of
/// a process starts a thread that removes this user's folders without a lock.
#[derive(Debug)]
pub struct TempFolder {
    path: PathBuf,
    _lock: File,
}

impl Drop for TempFolder {
    /// Removes the folder before its lock is released. What cannot be removed is tried by later processes.
    fn drop(&mut self) {
        let _ = remove_tree(&self.path);
    }
}

impl TempFolder {
    /// Creates a folder in the system's folder for temporary files.
    ///
    /// # Errors
    /// The folder cannot be created or locked.
    pub fn new() -> Result<Self> {
        static CLEANUP: Once = Once::new();
        let parent = std::env::temp_dir();
        let folder = Self::new_in(&parent)?;
        let user = folder._lock.metadata()?.uid();
        CLEANUP.call_once(|| {
            // Without it the folders are removed by another process.
            let _ = thread::Builder::new().spawn(move || remove_abandoned(&parent, user));
        });
        Ok(folder)
    }

    fn new_in(parent: &Path) -> Result<Self> {
        for _ in 0..ATTEMPTS {
            let owner_only = Permissions::from_mode(0o700);
            let folder =
                tempfile::Builder::new().prefix(PREFIX).permissions(owner_only).tempdir_in(parent)?;
            if let Some(lock) = lock(folder.path())? {
                return Ok(Self { path: folder.keep(), _lock: lock });
            }
        }
        Err(Error::new(ErrorKind::WouldBlock, "other processes lock each new temporary folder"))
    }

    /// Removes the folder, as dropping it does.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn close(self) -> Result<()> {
        remove_tree(&self.path)
    }

    /// The folder's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Locks a folder. `None` if it is gone, is a link or no folder, or if another process holds it.
fn lock(path: &Path) -> Result<Option<File>> {
    let flags = (OFlags::NOFOLLOW | OFlags::DIRECTORY | OFlags::NONBLOCK).bits() as i32;
    let Ok(folder) = OpenOptions::new().read(true).custom_flags(flags).open(path) else { return Ok(None) };
    match folder.try_lock() {
        Ok(()) => {}
        Err(fs::TryLockError::WouldBlock) => return Ok(None),
        Err(fs::TryLockError::Error(error)) => return Err(error),
    }
    // Removed, and perhaps created again, between the two calls.
    let (locked, named) = (folder.metadata()?, path.symlink_metadata());
    let same = named.is_ok_and(|named| (named.dev(), named.ino()) == (locked.dev(), locked.ino()));
    Ok(same.then_some(folder))
}

/// Removes the folders of this user that no process holds.
fn remove_abandoned(parent: &Path, user: u32) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if !entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            continue;
        }
        let path = entry.path();
        if let Ok(Some(lock)) = lock(&path)
            && lock.metadata().is_ok_and(|metadata| metadata.uid() == user)
            && let Err(error) = remove_tree(&path)
        {
            tracing::debug!(%error, path = %path.display(), "an abandoned temporary folder stays");
        }
    }
}

#[cfg(test)]
mod tests;
