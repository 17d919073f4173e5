//! Where the path of a call leads.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

use icu_normalizer::ComposingNormalizerBorrowed;

use crate::target_error::{MAX_PATH, TargetError};

/// Resolves a path from the workspace on: absolute, with symbolic links followed. Its last components need not exist.
///
/// # Errors
/// [`TargetError`] when it cannot be resolved.
pub fn resolve_target(workspace: &Path, path: &str) -> Result<PathBuf, TargetError> {
    if path.trim().is_empty() {
        return Err(TargetError::Empty);
    }
    if path.contains('\0') {
        return Err(TargetError::ZeroByte);
    }
    // To look for the part of a longer one that exists takes time that grows with its square.
    if path.len() >= MAX_PATH {
        return Err(TargetError::TooLong);
    }
    real_path(&workspace.join(path))
}

/// An absolute path with symbolic links followed; its last components need not exist. A component that does not exist is searched
/// in other Unicode normalizations.
pub(crate) fn real_path(wanted: &Path) -> Result<PathBuf, TargetError> {
    let mut missing: Vec<OsString> = Vec::new();
    let mut there = wanted;
    let mut real = loop {
        match there.canonicalize() {
            Ok(real) => break real,
            Err(error) if there.symlink_metadata().is_ok() => {
                return Err(TargetError::NotFollowed(error.to_string()));
            }
            Err(_) => {}
        }
        match (there.components().next_back(), there.parent()) {
            (Some(Component::Normal(name)), Some(parent)) => {
                missing.push(name.to_owned());
                there = parent;
            }
            _ => return Err(TargetError::Unresolvable),
        }
    };
    for name in missing.into_iter().rev() {
        real = match same_name(&real, &name).map(|same| real.join(same).canonicalize()) {
            Some(Ok(found)) => found,
            _ => real.join(name),
        };
    }
    Ok(real)
}

/// The name in a folder that is the same text in another Unicode normalization: macOS stores `é` as two characters, models write
/// one. `None` if there is no such name, or more than one.
fn same_name(folder: &Path, name: &OsStr) -> Option<OsString> {
    let composed = ComposingNormalizerBorrowed::new_nfc();
    let wanted = composed.normalize(name.to_str().filter(|name| !name.is_ascii())?);
    let same = |found: &OsString| found.to_str().is_some_and(|found| composed.normalize(found) == wanted);
    let mut found = folder.read_dir().ok()?.flatten().map(|entry| entry.file_name()).filter(same);
    found.next().filter(|_| found.next().is_none())
}

#[cfg(test)]
mod tests;
