//! The folders of `PATH`, with those that a model can write set apart.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// Every user may write.
const ALL_WRITE: u32 = 0o002;

/// Somebody may execute.
const EXECUTE: u32 = 0o111;

/// The folders in which programs are searched.
#[derive(Debug)]
pub(crate) struct SearchPath {
    used: Vec<PathBuf>,
    left_out: Vec<PathBuf>,
    writable: Vec<PathBuf>,
}

impl SearchPath {
    /// `writable`: the folders that a model can write.
    pub(crate) fn of(path: &OsStr, writable: Vec<PathBuf>) -> Self {
        // An empty one is the current folder.
        let named = |folder: PathBuf| if folder.as_os_str().is_empty() { ".".into() } else { folder };
        let folders = std::env::split_paths(path).map(named);
        let (used, left_out) = folders.partition(|folder| is_safe(folder, &writable));
        Self { used, left_out, writable }
    }

    /// The first program of this name. One that is a link into a writable folder does not count.
    pub(crate) fn find(&self, name: &Path) -> Option<PathBuf> {
        let places = self.used.iter().map(|folder| folder.join(name));
        let mut programs = places.filter(|place| is_program(place));
        programs.find(|place| names_of(place.clone()).iter().all(|name| !is_in(name, &self.writable)))
    }

    pub(crate) fn joined(&self) -> OsString {
        std::env::join_paths(&self.used).unwrap_or_default()
    }

    pub(crate) fn left_out_with<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Vec<PathBuf> {
        let names: Vec<&str> = names.into_iter().collect();
        let has_one = |folder: &&PathBuf| names.iter().any(|name| is_program(&folder.join(name)));
        self.left_out.iter().filter(has_one).cloned().collect()
    }
}

/// The path, and the one with its links followed.
pub(crate) fn names_of(path: PathBuf) -> Vec<PathBuf> {
    let real = path.canonicalize().ok().filter(|real| *real != path);
    std::iter::once(path).chain(real).collect()
}

/// Returns true if the folder is the user's home, or holds it.
pub(crate) fn holds_home(folder: &Path) -> bool {
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    home.into_iter().flat_map(names_of).any(|home| home.starts_with(folder))
}

/// The project of the current folder: the nearest folder with a `.git`, or the folder itself.
pub(crate) fn project_here() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let project = here.ancestors().find(|folder| folder.join(".git").symlink_metadata().is_ok());
    let project = project.filter(|project| !holds_home(project)).map(Path::to_owned);
    project.or(Some(here)).filter(|project| !holds_home(project))
}

fn is_safe(folder: &Path, writable: &[PathBuf]) -> bool {
    let all_write = folder.metadata().is_ok_and(|found| found.permissions().mode() & ALL_WRITE != 0);
    folder.is_absolute()
        && !all_write
        && names_of(folder.to_owned()).iter().all(|name| !is_in(name, writable))
}

fn is_in(place: &Path, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| place.starts_with(folder))
}

fn is_program(file: &Path) -> bool {
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & EXECUTE != 0)
}

#[cfg(test)]
mod tests;
