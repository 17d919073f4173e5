//! Where a program is, and whether there can be a repository, without starting one.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Returns false if neither the folder nor one above it can be a repository or its working tree: git looks no further either
/// (gitrepository-layout(5)). A folder that cannot be read is left to git.
pub(crate) fn has_repository(folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else { return true };
    let is_repository = |folder: &Path| folder.join("HEAD").exists() && folder.join("objects").exists();
    folder.ancestors().any(|above| above.join(".git").symlink_metadata().is_ok() || is_repository(above))
}

/// The path of a program that is named without one: the first in `PATH` that can be executed. A name that is not found is
/// returned unchanged.
pub(crate) fn program_in(name: &OsStr, path: Option<&OsStr>) -> PathBuf {
    let named = Path::new(name);
    if named.components().count() > 1 {
        return named.to_owned();
    }
    let is_program = |file: &PathBuf| {
        file.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    let folders = path.into_iter().flat_map(std::env::split_paths);
    let mut found = folders.map(|folder| folder.join(name));
    found.find(is_program).unwrap_or_else(|| named.to_owned())
}

#[cfg(test)]
mod tests;
