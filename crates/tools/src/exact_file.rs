//! A file at an absolute path without symbolic links, for restoring it.

use std::fs::Permissions;
use std::io::{Error, ErrorKind, Read as _, Result};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::changed_file::FileContent;
use crate::regular_file::OpenError;
use crate::root_folder::{RootFolder, is_race};

/// Maximum bytes of a file that is read.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

/// A file at an absolute path. If a component of the path is a symbolic link, every operation fails: the path was resolved
/// when the file was changed, so a link means that it leads elsewhere now.
#[derive(Debug)]
pub struct ExactFile {
    root: RootFolder,
    inner: PathBuf,
}

impl ExactFile {
    /// The file at this path. It need not exist.
    ///
    /// # Errors
    /// The path is relative.
    pub fn at(path: &Path) -> Result<Self> {
        let root = RootFolder::open(Path::new("/"))?;
        let inner = path.strip_prefix("/").map_err(|_| Error::from(ErrorKind::InvalidInput))?;
        Ok(Self { root, inner: inner.to_owned() })
    }

    /// Reads the file, if it has at most 32 MiB.
    ///
    /// # Errors
    /// It cannot be read, or is not a regular file.
    pub fn read(&self) -> Result<FileContent> {
        let (file, metadata) = match self.root.open_regular(&self.inner) {
            Err(OpenError::Refused(error)) if error.kind() == ErrorKind::NotFound => {
                return Ok(FileContent::Missing);
            }
            Err(OpenError::Refused(error)) if is_race(&error) => {
                return Err(Error::other(
                    "a link is in its place or on the way to it; remove the link first",
                ));
            }
            Err(OpenError::Refused(error)) => return Err(error),
            Err(special @ OpenError::Special(_)) => return Err(Error::other(special)),
            Ok(opened) => opened,
        };
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Ok(FileContent::Unread(format!("it has {} bytes", metadata.len())));
        }
        Ok(FileContent::Read { bytes, mode: metadata.permissions().mode() & 0o7777 })
    }

    /// Writes the file atomically, with these permission bits. Creates missing folders.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, bytes: &[u8], mode: u32) -> Result<()> {
        self.root.replace(&self.inner, bytes, Some(&Permissions::from_mode(mode)))
    }

    /// Removes the file, and the folders that lead to it that were made since this time and are empty then. A missing
    /// file is no error.
    ///
    /// # Errors
    /// It cannot be removed.
    pub fn remove(&self, since: Option<SystemTime>) -> Result<()> {
        self.root.remove(&self.inner)?;
        if let Some(since) = since {
            self.root.remove_made_folders(&self.inner, since);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
