//! The folders outside of the working one that commands need to write when they work on its project.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use throughline_instructions::Places;

/// Most bytes of a file that names a folder.
const MOST: u64 = 4 * 1024;

/// The project's own folder, and what git writes elsewhere for it: `git add` writes beside the project's index, and a
/// build into its folder, wherever in the project one works.
///
/// A project that has the user's home in it is none to be opened for work in one of its folders.
pub(crate) fn project_folders(workspace: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let places = Places::of(workspace, None);
    let root = places.root();
    let home = home.and_then(|home| home.canonicalize().ok());
    if root != places.workspace() && home.is_some_and(|home| home.starts_with(root)) {
        return Vec::new();
    }
    std::iter::once(root.to_owned()).chain(worktree(root).into_iter().flatten()).collect()
}

/// What git writes for a further worktree of a repository: the worktree's own folder there, and of what all worktrees
/// share the objects, the branches and their logs. Not the hooks and not the settings, which the others run by.
///
/// `None`: it is no such worktree. Its folder there has to name it too: its `.git` is a file of the project, and what is
/// written there may name any folder (<https://git-scm.com/docs/gitrepository-layout>).
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
    // Opening a pipe would wait for somebody who writes.
    if !file.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    File::open(file).ok()?.take(MOST).read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests;
