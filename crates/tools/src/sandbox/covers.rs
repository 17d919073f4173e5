//! What is mounted over places that a command must not see: nothing, or a folder of its own.

use std::ffi::CStr;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};
use rustix::io::{Errno, Result};
use rustix::mount::{MountFlags, mount, mount_bind};

/// Everybody may look at a folder that has nothing.
const EMPTY: &CStr = c"size=4k,mode=0555";

/// Mounts an empty folder over a folder.
///
/// # Errors
/// The system does not allow it, or there is no such folder.
pub(super) fn cover_folder(folder: &Path) -> Result<()> {
    let flags = MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("tmpfs", folder, "tmpfs", flags, EMPTY)
}

/// Mounts an empty file over a file.
///
/// # Errors
/// As [`cover_folder`].
pub(super) fn cover_file(file: &Path) -> Result<()> {
    mount_bind("/dev/null", file)
}

/// Mounts nothing over a place: what is there cannot be seen any more. A place that does not exist needs no cover.
///
/// # Errors
/// As [`cover_folder`]: what is there stays visible.
pub(super) fn cover(place: &Path) -> Result<()> {
    match place.metadata() {
        Ok(data) if data.is_dir() => cover_folder(place),
        Ok(_) => cover_file(place),
        Err(_) => Ok(()),
    }
}

/// A folder that the commands of a session share and no other program does. It is held open: once it is mounted over `/tmp`, the
/// path that it had there leads nowhere.
pub(super) struct PrivateFolder(OwnedFd);

impl PrivateFolder {
    /// Opens a folder. It must be opened in the mount namespace in which it is mounted.
    ///
    /// # Errors
    /// There is no such folder, or the path is a link.
    pub(super) fn open(path: &Path) -> Result<Self> {
        openat(CWD, path, FOLDER, Mode::empty()).map(Self)
    }

    /// Opens a folder in it, or makes one. A link is no folder: a command may have made it, to have another place mounted.
    ///
    /// # Errors
    /// The name is that of something else.
    pub(super) fn folder(&self, name: &str) -> Result<Self> {
        match mkdirat(&self.0, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => openat(&self.0, name, FOLDER, Mode::empty()).map(Self),
            Err(error) => Err(error),
        }
    }

    /// Mounts it over a place.
    ///
    /// # Errors
    /// As [`cover_folder`].
    pub(super) fn mount_over(&self, place: &Path) -> Result<()> {
        mount_bind(format!("/proc/self/fd/{}", self.0.as_raw_fd()), place)
    }
}

const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);
