//! The folders outside the workspace that commands need to write when they work on its project.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use throughline_instructions::SessionFolders;

/// Maximum bytes of a file that names a folder.
const MAX_BYTES: u64 = 4 * 1024;

/// The project's root, and the folders elsewhere that git writes for it: `git add` writes to the project's index, and a
/// build into its folder, whatever folder of the project is the workspace.
///
/// A project root that contains the user's home is never made writable.
pub(super) fn project_folders(workspace: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let places = SessionFolders::of(workspace, None);
    let root = places.root();
    let home = home.and_then(|home| home.canonicalize().ok());
    if root != places.workspace() && home.is_some_and(|home| home.starts_with(root)) {
        return Vec::new();
    }
    std::iter::once(root.to_owned()).chain(worktree(root).into_iter().flatten()).collect()
}

/// The folders that git writes for a linked worktree of a repository: the worktree's own folder there, and of the shared
/// ones the objects, the branches and their logs. Not the hooks and the settings, which the other worktrees run by.
///
/// `None`: it is no linked worktree. Its folder there has to name it too: its `.git` is a file of the project, which may
/// name any folder (<https://git-scm.com/docs/gitrepository-layout>).
fn worktree(root: &Path) -> Option<Vec<PathBuf>> {
    let link = root.join(".git");
    let named = line(&link)?;
    let own = root.join(named.strip_prefix("gitdir:")?.trim()).canonicalize().ok()?;
    let worktrees = own.parent().filter(|folder| folder.ends_with("worktrees"))?;
    let common = worktrees.parent()?;
    let names = |name: &str, place: &Path| {
        let named = own.join(line(&own.join(name))?.trim());
        named.canonicalize().ok().filter(|real| real == place)
    };
    names("gitdir", &link)?;
    names("commondir", common)?;
    let shared = ["objects", "refs", "logs"].map(|name| common.join(name));
    let shared = shared.into_iter().filter(|folder| folder.canonicalize().is_ok_and(|real| real == *folder));
    Some(shared.chain([own.clone()]).collect())
}

/// The text of a small file.
fn line(file: &Path) -> Option<String> {
    // Opening a pipe would wait for a writer.
    if !file.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    File::open(file).ok()?.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests;
