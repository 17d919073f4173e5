//! Where a program is, by the environment of this process and the folders that a model can write.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use crate::search_path::{self, SearchPath};

/// The folders that a model can write, by all sessions of this process.
static WRITABLE: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// Takes no programs from these folders from now on. A folder that holds the user's home is left out: what is in a home is not
/// the project's, and commands in such a workspace are asked about.
pub fn distrust(folders: impl IntoIterator<Item = PathBuf>) {
    let mut writable = WRITABLE.write().unwrap_or_else(PoisonError::into_inner);
    for folder in folders.into_iter().flat_map(search_path::names_of) {
        if !search_path::holds_home(&folder) && !writable.contains(&folder) {
            writable.push(folder);
        }
    }
}

/// The path of a program: the first in `PATH` that can be executed, in a folder that no model can write. A name with a `/` is a
/// path already. `None`: it is in no such folder.
#[must_use]
pub fn find(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let name = Path::new(name.as_ref());
    if name.components().count() > 1 {
        return Some(name.to_owned());
    }
    current().find(name)
}

/// `PATH` without the folders that a model can write, for a program that is started.
#[must_use]
pub fn search_path() -> OsString {
    current().joined()
}

/// The folders of `PATH` that are left out although they have one of these programs.
#[must_use]
pub fn left_out<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<PathBuf> {
    current().left_out_with(names)
}

fn current() -> SearchPath {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut writable = WRITABLE.read().unwrap_or_else(PoisonError::into_inner).clone();
    writable.extend(search_path::project_here());
    SearchPath::of(&path, writable)
}
