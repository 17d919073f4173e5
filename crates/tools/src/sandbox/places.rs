//! The folders in which a sandbox allows writing, without those that it protects.

use std::path::{Path, PathBuf};

/// The folders and files below `folder` that together leave out the protected ones: the folder itself if none of them is
/// in it, else its entries, and so on down to them. Nothing can be created or removed in a folder that leads to a protected
/// one, or that folder could be replaced by another.
pub(super) fn without(folder: &Path, protected: &[PathBuf]) -> Vec<PathBuf> {
    if protected.iter().any(|place| folder.starts_with(place)) {
        return Vec::new();
    }
    if !protected.iter().any(|place| place.starts_with(folder)) {
        return vec![folder.to_owned()];
    }
    let entries = folder.read_dir().into_iter().flatten().flatten();
    // A link leads to a place that is writable by itself or not at all.
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
    entries.flat_map(|entry| without(&entry.path(), protected)).collect()
}

#[cfg(test)]
mod tests;
