//! Removes a folder with everything in it, however deep it is.
//!
//! A command makes folders as deep as it likes. To remove them by recursion takes a part of the stack and an open file for each
//! level. Here each folder in a folder moves up to the first one, so that there are never more than two levels to look at.

use std::ffi::{CStr, CString};
use std::hash::{BuildHasher as _, RandomState};
use std::io::Result;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, RenameFlags};
use rustix::fs::{chmodat, openat, renameat_with, unlinkat};
use rustix::io::Errno;
use rustix::path::Arg;

/// Removes a folder. Links in it are removed and not followed.
///
/// # Errors
/// A part of it cannot be removed; it stays, with the rest.
pub(crate) fn remove_tree(folder: &Path) -> Result<()> {
    let root = open(CWD, folder)?;
    let mut moves = Moves { root, random: RandomState::new().hash_one(()) };
    while moves.clear()? {}
    Ok(unlinkat(CWD, folder, AtFlags::REMOVEDIR)?)
}

struct Moves {
    root: OwnedFd,
    random: u64,
}

impl Moves {
    /// Empties each folder in the root, and removes it. Returns true if folders have moved up meanwhile.
    fn clear(&mut self) -> Result<bool> {
        let mut moved = false;
        for name in names(&self.root)? {
            if is_removed(&self.root, &name)? {
                continue;
            }
            // A folder without rights can neither be read nor moved; where this fails, the next step says why.
            let _ = chmodat(&self.root, &name, Mode::RWXU, AtFlags::empty());
            let folder = open(&self.root, &name)?;
            for inner in names(&folder)? {
                if !is_removed(&folder, &inner)? {
                    self.move_up(&folder, &inner)?;
                    moved = true;
                }
            }
            unlinkat(&self.root, &name, AtFlags::REMOVEDIR)?;
        }
        Ok(moved)
    }

    fn move_up(&mut self, folder: &OwnedFd, name: &CStr) -> Result<()> {
        let _ = chmodat(folder, name, Mode::RWXU, AtFlags::empty());
        loop {
            self.random = self.random.wrapping_add(1);
            let free = format!("{:016x}", self.random);
            match renameat_with(folder, name, &self.root, free, RenameFlags::NOREPLACE) {
                Err(Errno::EXIST) => {}
                done => return Ok(done?),
            }
        }
    }
}

fn open(at: impl AsFd, path: impl Arg) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(at, path, flags, Mode::empty())
}

/// The names in a folder.
fn names(folder: &OwnedFd) -> rustix::io::Result<Vec<CString>> {
    let entries = Dir::read_from(folder)?.map(|entry| entry.map(|entry| entry.file_name().to_owned()));
    let names: rustix::io::Result<Vec<CString>> = entries.collect();
    let is_entry = |name: &CString| !matches!(name.to_bytes(), b"." | b"..");
    Ok(names?.into_iter().filter(is_entry).collect())
}

/// Removes an entry that is no folder. Returns false if it is one.
fn is_removed(folder: &OwnedFd, name: &CStr) -> rustix::io::Result<bool> {
    match unlinkat(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(true),
        // POSIX has the second one, Linux the first.
        Err(Errno::ISDIR | Errno::PERM) => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
