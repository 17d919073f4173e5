//! A folder whose files are opened beneath its descriptor.
//!
//! A path that was checked and is then opened by name can lead elsewhere in between: a command that runs at the same time
//! exchanges a folder and a link. Here the kernel resolves the path and refuses every symbolic link in it, and drafts are
//! created and renamed relative to the descriptor of their folder.

mod open;
mod replace;

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::{Error, Result};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, Mode, OFlags};
use rustix::io::Errno;

use self::open::{FOLDER, LOOK, Opener};
use crate::regular_file::{OpenError, regular};

/// Attempts to open a path in which a symbolic link appears again and again.
const ATTEMPTS: usize = 16;

/// An open folder. Paths below it must be relative, without `..`, and have no symbolic link.
#[derive(Debug)]
pub(crate) struct RootFolder {
    path: PathBuf,
    folder: OwnedFd,
    opener: Opener,
}

impl RootFolder {
    /// Opens the folder at this absolute path, no component of which may be a symbolic link.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        Self::open_with(path, Opener::default())
    }

    fn open_with(path: &Path, opener: Opener) -> Result<Self> {
        let top = rustix::fs::open("/", FOLDER | OFlags::CLOEXEC, Mode::empty())?;
        let inner = path.strip_prefix("/").map_err(|_| Error::from(Errno::INVAL))?;
        let folder = opener.open(top.as_fd(), inner, FOLDER, Mode::empty())?;
        Ok(Self { path: path.to_owned(), folder, opener })
    }

    /// The absolute path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a regular file for reading without ever blocking.
    pub(crate) fn open_regular(&self, inner: &Path) -> std::result::Result<(File, Metadata), OpenError> {
        // Checked before opening too, because opening has an effect on some devices.
        regular(self.metadata(inner)?)?;
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        let file = File::from(self.open_inner(inner, flags)?);
        let metadata = regular(file.metadata()?)?;
        Ok((file, metadata))
    }

    /// The metadata of a file of any type.
    pub(crate) fn metadata(&self, inner: &Path) -> Result<Metadata> {
        File::from(self.open_inner(inner, LOOK)?).metadata()
    }

    /// The names in a folder, in no particular order.
    pub(crate) fn names(&self, inner: &Path) -> Result<Vec<OsString>> {
        let folder = self.open_inner(inner, OFlags::RDONLY | OFlags::DIRECTORY)?;
        let names = Dir::new(folder)?.filter_map(|entry| {
            let name = entry.ok()?.file_name().to_bytes().to_vec();
            (name != b"." && name != b"..").then(|| OsString::from_vec(name))
        });
        Ok(names.collect())
    }

    fn open_inner(&self, inner: &Path, flags: OFlags) -> Result<OwnedFd> {
        attempt(|| self.opener.open(self.folder.as_fd(), inner, flags, Mode::empty()))
    }
}

/// Returns true if the error says that a symbolic link appeared in a path that had none when it was resolved.
pub(crate) fn is_race(error: &Error) -> bool {
    let codes = [Errno::LOOP, Errno::XDEV, Errno::AGAIN];
    error.raw_os_error().is_some_and(|code| codes.iter().any(|race| race.raw_os_error() == code))
}

/// Repeats an operation while its path is being changed by another process.
fn attempt<T>(mut operation: impl FnMut() -> Result<T>) -> Result<T> {
    for _ in 1..ATTEMPTS {
        match operation() {
            Err(error) if is_race(&error) => std::thread::yield_now(),
            done => return done,
        }
    }
    operation()
}

#[cfg(test)]
pub(crate) mod tests;
