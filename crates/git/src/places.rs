//! Whether there can be a repository, without starting a program.

use std::path::Path;

/// Returns false if neither the folder nor one above it can be a repository or its working tree: git looks no further either
/// (gitrepository-layout(5)). A folder that cannot be read is left to git.
pub(crate) fn has_repository(folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else { return true };
    let is_repository = |folder: &Path| folder.join("HEAD").exists() && folder.join("objects").exists();
    folder.ancestors().any(|above| above.join(".git").symlink_metadata().is_ok() || is_repository(above))
}

#[cfg(test)]
mod tests;
