//! Occupies names that a command must not create while it runs.
//!
//! A file `commondir` in a git folder says where its settings are, and `config.worktree` is read besides them
//! (<https://git-scm.com/docs/gitrepository-layout>). A mount protects what exists alone. So these files exist while a command
//! runs, with a content that changes nothing, and commands of other sessions share them.

use std::fs::{self, File, Permissions};
use std::io::{ErrorKind, Result, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// The names, and what git takes for nothing said.
const FILES: [(&str, &str); 2] =
    [("commondir", ".\n"), ("config.worktree", "# throughline holds this name while a command runs\n")];

/// Another process may remove a file between two looks at it.
const ATTEMPTS: usize = 8;

/// The files that exist for this process, each with a lock that others share.
#[derive(Debug)]
pub(super) struct HeldNames(Vec<(File, PathBuf)>);

impl HeldNames {
    /// Creates what is missing in these git folders. What cannot be created there no command can create.
    pub(super) fn of(folders: &[PathBuf]) -> Self {
        for folder in folders.iter().filter(|folder| folder.join("config").is_file()) {
            // An empty folder of hooks, which git makes too, stays.
            let _ = fs::create_dir(folder.join("hooks"));
        }
        let names = folders.iter().flat_map(|folder| FILES.map(|(name, text)| (folder, name, text)));
        let held = names.filter_map(|(folder, name, text)| {
            let file = hold(folder, name, text).ok().flatten()?;
            Some((file, folder.join(name)))
        });
        Self(held.collect())
    }
}

impl Drop for HeldNames {
    /// Removes the files that no other process holds.
    fn drop(&mut self) {
        for (file, path) in &self.0 {
            if file.try_lock().is_ok() && is_at(file, path) {
                let _ = fs::remove_file(path);
            }
        }
    }
}

/// `None`: the repository has a file of this name by itself.
fn hold(folder: &Path, name: &str, text: &str) -> Result<Option<File>> {
    let path = folder.join(name);
    for _ in 0..ATTEMPTS {
        let file = match fs::read(&path) {
            Ok(found) if found != text.as_bytes() => return Ok(None),
            Ok(_) => match File::open(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                opened => opened?,
            },
            Err(error) if error.kind() == ErrorKind::NotFound => match create(folder, &path, text)? {
                Some(file) => return Ok(Some(file)),
                None => continue,
            },
            Err(error) => return Err(error),
        };
        file.lock_shared()?;
        if is_at(&file, &path) {
            return Ok(Some(file));
        }
    }
    Err(ErrorKind::WouldBlock.into())
}

/// Creates a file with its content and a lock. `None`: another process was first.
fn create(folder: &Path, path: &Path, text: &str) -> Result<Option<File>> {
    let all_read = Permissions::from_mode(0o644);
    let mut file = tempfile::Builder::new().permissions(all_read).tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().lock_shared()?;
    match file.persist_noclobber(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(error.error),
    }
}

/// Returns true if the path still names this file.
fn is_at(file: &File, path: &Path) -> bool {
    let (Ok(opened), Ok(named)) = (file.metadata(), path.symlink_metadata()) else { return false };
    (opened.dev(), opened.ino()) == (named.dev(), named.ino())
}

#[cfg(test)]
mod tests;
