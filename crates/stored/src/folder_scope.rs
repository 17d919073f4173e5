//! Folders that a reader is limited to.

use std::path::{Component, Path, PathBuf};

use crate::error::{Error, Result};

/// The folder of a scope that a path names: with all links followed, if it is on this machine.
///
/// # Errors
/// It is not on this machine and may be several ones, or its name is no UTF-8.
pub fn scope_folder(path: &Path) -> Result<PathBuf> {
    let is_whole = path.is_absolute() && !path.components().any(|part| part == Component::ParentDir);
    let folder = match path.canonicalize() {
        Ok(folder) => folder,
        Err(_) if is_whole => path.components().collect(),
        Err(error) => {
            let why = "a folder of another machine is written from its root on, without `..`";
            return Err(Error::Usage(format!("there is no folder {}: {error}; {why}", path.display())));
        }
    };
    match folder.to_str() {
        Some(_) => Ok(folder),
        None => Err(Error::Usage(format!("the name of the folder {} is no UTF-8", folder.display()))),
    }
}

/// The folders whose sessions may be seen, with all folders below them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FolderScope(Vec<PathBuf>);

impl FolderScope {
    /// Those folders; none: all folders.
    #[must_use]
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self(folders)
    }

    /// Returns true if every folder is in it.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.0.is_empty()
    }

    /// The folders; none: all.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        &self.0
    }

    /// Returns true if a folder is in it. The folder of no session is empty, and is in that of all folders alone.
    #[must_use]
    pub fn contains(&self, folder: impl AsRef<Path>) -> bool {
        self.is_all() || self.0.iter().any(|own| folder.as_ref().starts_with(own))
    }
}

#[cfg(test)]
mod tests;
