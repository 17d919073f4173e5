//! Replaces a file atomically: a reader sees the old content or the new one.

use std::ffi::OsStr;
use std::fs::{File, Metadata, Permissions};
use std::io::{ErrorKind, Result, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use rustix::fs::{AtFlags, Mode, OFlags, RawMode, linkat, mkdirat, openat, renameat, unlinkat};
use rustix::io::Errno;

use super::open::{FOLDER, LOOK};
use super::{RootFolder, attempt};

/// Makes the names of concurrent drafts unique.
static COUNT: AtomicU64 = AtomicU64::new(0);

impl RootFolder {
    /// Writes `content` to a file, with these permissions, or those of an existing file. Creates missing folders. A read-only
    /// file is replaced only with permissions that are given.
    ///
    /// The draft and the renaming are relative to the descriptor of the file's folder, so a folder that is replaced by a
    /// link meanwhile changes nothing outside. A folder that was moved meanwhile is an error, and the draft is removed.
    pub(crate) fn replace(&self, inner: &Path, content: &[u8], new: Option<&Permissions>) -> Result<()> {
        attempt(|| {
            let (folder, name) = self.parent(inner)?;
            let rights = match self.existing(folder.as_fd(), name)? {
                Some(old) if old.is_dir() => return Err(ErrorKind::IsADirectory.into()),
                Some(old) if old.permissions().readonly() && new.is_none() => {
                    return Err(ErrorKind::PermissionDenied.into());
                }
                old => new.cloned().or_else(|| old.map(|old| old.permissions())),
            };
            let draft = draft_name();
            let written = write(folder.as_fd(), &draft, content, rights)
                .and_then(|()| self.check_place(&folder, inner))
                .and_then(|()| Ok(renameat(&folder, &draft, &folder, name)?));
            if written.is_err() {
                // The first error is the one to report.
                let _ = unlinkat(&folder, &draft, AtFlags::empty());
            }
            written
        })
    }

    /// Makes `other` another name of the file `inner`. A file that had that name is replaced at once.
    pub(crate) fn relink(&self, inner: &Path, other: &Path) -> Result<()> {
        attempt(|| {
            let ((folder, name), (other_folder, other_name)) = (self.parent(inner)?, self.parent(other)?);
            let draft = draft_name();
            linkat(&folder, name, &other_folder, &draft, AtFlags::empty())?;
            let renamed = self
                .check_place(&other_folder, other)
                .and_then(|()| Ok(renameat(&other_folder, &draft, &other_folder, other_name)?));
            if renamed.is_err() {
                let _ = unlinkat(&other_folder, &draft, AtFlags::empty());
            }
            renamed
        })
    }

    /// Removes a file. A missing file is no error.
    pub(crate) fn remove(&self, inner: &Path) -> Result<()> {
        attempt(|| {
            let (Some(parent), Some(name)) = (inner.parent(), inner.file_name()) else {
                return Err(ErrorKind::IsADirectory.into());
            };
            let folder = match self.opener.open(self.folder.as_fd(), parent, FOLDER, Mode::empty()) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
                folder => folder?,
            };
            self.check_place(&folder, inner)?;
            match unlinkat(&folder, name, AtFlags::empty()) {
                Err(Errno::NOENT) => Ok(()),
                removed => Ok(removed?),
            }
        })
    }

    /// Removes the folders that lead to a file, the innermost first, while they were made since this time and are empty.
    /// Where the system does not say when that was, they stay.
    pub(crate) fn remove_made_folders(&self, inner: &Path, since: SystemTime) {
        for folder in inner.ancestors().skip(1).take_while(|folder| !folder.as_os_str().is_empty()) {
            let made = self.metadata(folder).and_then(|found| found.created());
            let removed = made.is_ok_and(|made| made >= since)
                && self
                    .parent(folder)
                    .is_ok_and(|(parent, name)| unlinkat(&parent, name, AtFlags::REMOVEDIR).is_ok());
            if !removed {
                return;
            }
        }
    }

    /// The folder of a file, created if it is missing, and the file's name in it.
    fn parent<'a>(&self, inner: &'a Path) -> Result<(OwnedFd, &'a OsStr)> {
        let (Some(parent), Some(name)) = (inner.parent(), inner.file_name()) else {
            return Err(ErrorKind::IsADirectory.into());
        };
        let open = |inner: &Path| self.opener.open(self.folder.as_fd(), inner, FOLDER, Mode::empty());
        let mut missing = Vec::new();
        let mut at = parent;
        let mut folder = loop {
            match open(at) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    let (Some(above), Some(name)) = (at.parent(), at.file_name()) else { return Err(error) };
                    missing.push(name);
                    at = above;
                }
                folder => break folder?,
            }
        };
        for name in missing.into_iter().rev() {
            match mkdirat(&folder, name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            folder = self.opener.open(folder.as_fd(), Path::new(name), FOLDER, Mode::empty())?;
        }
        Ok((folder, name))
    }

    /// The metadata of what has this name, if anything has it.
    fn existing(&self, folder: BorrowedFd<'_>, name: &OsStr) -> Result<Option<Metadata>> {
        match self.opener.open(folder, Path::new(name), LOOK, Mode::empty()) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            opened => Ok(Some(File::from(opened?).metadata()?)),
        }
    }

    /// Checks that an open folder is where its file's path says: it may have been moved after it was opened.
    fn check_place(&self, folder: &OwnedFd, inner: &Path) -> Result<()> {
        let expected = inner.parent().map_or_else(|| self.path.clone(), |parent| self.path.join(parent));
        match place_of(folder) {
            Some(place) if place != expected => Err(Errno::AGAIN.into()),
            _ => Ok(()),
        }
    }
}

/// The name of a file that is not complete yet.
fn draft_name() -> String {
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!(".throughline-{}-{number}.tmp", std::process::id())
}

/// The path that an open folder has now. `None` where the system does not say it.
#[cfg(target_os = "linux")]
fn place_of(folder: &OwnedFd) -> Option<std::path::PathBuf> {
    use std::os::fd::AsRawFd;
    std::fs::read_link(format!("/proc/self/fd/{}", folder.as_raw_fd())).ok()
}

#[cfg(not(target_os = "linux"))]
fn place_of(_: &OwnedFd) -> Option<std::path::PathBuf> {
    None
}

fn write(folder: BorrowedFd<'_>, draft: &str, content: &[u8], rights: Option<Permissions>) -> Result<()> {
    // The draft is never more readable than the file that it replaces.
    let mode = rights.as_ref().map_or(0o666, |rights| rights.mode() & 0o777) | 0o200;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(openat(folder, draft, flags, Mode::from_raw_mode(mode as RawMode))?);
    file.write_all(content)?;
    if let Some(rights) = rights {
        file.set_permissions(rights)?;
    }
    Ok(())
}
