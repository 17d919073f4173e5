//! Opens a path beneath a folder without following symbolic links.

use std::io::Result;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Component, Path};

use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
use rustix::io::Errno;

/// Flags that open anything without an effect on it.
#[cfg(target_os = "linux")]
pub(super) const LOOK: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
pub(super) const LOOK: OFlags = OFlags::NONBLOCK;

/// Flags that open a folder as the start of paths.
pub(super) const FOLDER: OFlags = LOOK.union(OFlags::DIRECTORY);

/// How paths are opened: the kernel resolves the whole path (`openat2`, Linux 5.6), or, where it cannot, each component is
/// opened in the one before it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Opener {
    /// The kernel is not asked.
    pub(super) steps_only: bool,
}

impl Opener {
    /// Opens `inner` beneath the folder.
    ///
    /// # Errors
    /// `ELOOP` when a component is a symbolic link, else the error of the system.
    pub(super) fn open(
        self,
        folder: BorrowedFd<'_>,
        inner: &Path,
        flags: OFlags,
        mode: Mode,
    ) -> Result<OwnedFd> {
        let flags = flags | OFlags::CLOEXEC;
        if !self.steps_only
            && let Some(opened) = by_kernel(folder, inner, flags, mode)
        {
            return opened;
        }
        by_steps(folder, inner, flags, mode)
    }
}

/// `None` where the system has no `openat2`, or a filter of system calls forbids it.
#[cfg(target_os = "linux")]
fn by_kernel(folder: BorrowedFd<'_>, inner: &Path, flags: OFlags, mode: Mode) -> Option<Result<OwnedFd>> {
    use rustix::fs::ResolveFlags;
    let inner = if inner.as_os_str().is_empty() { Path::new(".") } else { inner };
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_SYMLINKS;
    match rustix::fs::openat2(folder, inner, flags, mode, resolve) {
        Err(Errno::NOSYS | Errno::PERM) => None,
        opened => Some(opened.map_err(Into::into)),
    }
}

#[cfg(not(target_os = "linux"))]
fn by_kernel(_: BorrowedFd<'_>, _: &Path, _: OFlags, _: Mode) -> Option<Result<OwnedFd>> {
    None
}

fn by_steps(folder: BorrowedFd<'_>, inner: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    let mut names = Vec::new();
    for component in inner.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::CurDir => {}
            _ => return Err(Errno::XDEV.into()),
        }
    }
    let Some(last) = names.pop() else {
        return Ok(openat(folder, ".", flags, mode)?);
    };
    let mut current: Option<OwnedFd> = None;
    for name in names {
        let at = current.as_ref().map_or(folder, AsFd::as_fd);
        current = Some(step(at, Path::new(name), FOLDER | OFlags::CLOEXEC, Mode::empty())?);
    }
    let at = current.as_ref().map_or(folder, AsFd::as_fd);
    step(at, Path::new(last), flags, mode)
}

/// Opens one component. Systems report a link in different ways; all of them become `ELOOP`.
fn step(folder: BorrowedFd<'_>, name: &Path, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    let is_link = || {
        let link = rustix::fs::statat(folder, name, rustix::fs::AtFlags::SYMLINK_NOFOLLOW);
        link.is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink)
    };
    match openat(folder, name, flags | OFlags::NOFOLLOW, mode) {
        // Flags that only look open the link itself.
        Ok(opened) if FileType::from_raw_mode(fstat(&opened)?.st_mode) == FileType::Symlink => {
            Err(Errno::LOOP.into())
        }
        Err(Errno::NOTDIR | Errno::MLINK) if is_link() => Err(Errno::LOOP.into()),
        opened => Ok(opened?),
    }
}
