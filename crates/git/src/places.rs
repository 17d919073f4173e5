//! Where a repository and its working tree can be, without starting a program.

use std::path::{Path, PathBuf};

/// Returns false if neither the folder nor one above it can be a repository or its working tree: git looks no further either
/// (gitrepository-layout(5)). A folder that cannot be read is left to git.
pub(crate) fn has_repository(folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else { return true };
    folder.ancestors().any(|above| above.join(".git").symlink_metadata().is_ok() || is_repository(above))
}

/// The working tree that holds a folder, as git finds it without the setting `core.worktree`. `None`: the folder is in none, or in
/// the repository of one.
pub(crate) fn working_tree(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let is_tree = |above: &Path| {
        let own = above.join(".git");
        own.is_file() || is_repository(&own)
    };
    let found = folder.ancestors().find(|above| is_tree(above) || is_repository(above))?;
    is_tree(found).then(|| found.to_owned())
}

fn is_repository(folder: &Path) -> bool {
    folder.join("HEAD").exists() && folder.join("objects").exists()
}

#[cfg(test)]
mod tests;
