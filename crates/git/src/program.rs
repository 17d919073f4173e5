//! Where a program is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The program of this name in the first absolute folder of `path` that has it. `None`: in no one, or not on Unix.
///
/// A program that is named by its path starts without a copy of this process's memory map: the standard library forks when it
/// has to search a `PATH` that was set for the child.
pub(crate) fn find(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    let folders = std::env::split_paths(path?).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;

    const EXECUTE: u32 = 0o111;
    file.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & EXECUTE != 0)
}

#[cfg(not(unix))]
fn is_program(_file: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests;
