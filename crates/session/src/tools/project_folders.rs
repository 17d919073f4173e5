//! The folders outside the workspace that commands need to write when they work on its project.

use std::path::{Path, PathBuf};

use throughline_instructions::{LinkedWorktree, SessionFolders};

use super::nested_repositories::nested_repositories;

/// The folders of a project.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ProjectFolders {
    /// Its root, then the folders elsewhere that git writes for it: `git add` writes to the project's index, and a build into
    /// its folder, whatever folder of the project is the workspace.
    pub(super) writable: Vec<PathBuf>,
    /// The git folders of all its worktrees, the one that they share first. In these git writes as well, where their settings
    /// and hooks can be protected.
    pub(super) repositories: Vec<PathBuf>,
    /// The repositories in it: submodules, and others.
    pub(super) nested: Vec<PathBuf>,
}

/// The folders of the project that a workspace belongs to.
///
/// A project root that contains the user's home is never made writable.
pub(super) fn project_folders(workspace: &Path, home: Option<&Path>) -> ProjectFolders {
    let places = SessionFolders::of(workspace, None);
    let Some(root) = own_root(&places, home) else { return ProjectFolders::default() };
    let linked = LinkedWorktree::of(root);
    let shared = linked.as_ref().map_or_else(|| root.join(".git"), |linked| linked.common.clone());
    let worktrees = shared.join("worktrees").read_dir().into_iter().flatten().flatten();
    let worktrees = worktrees.map(|entry| entry.path()).filter(|folder| folder.is_dir());
    let repositories = linked.iter().map(|linked| linked.common.clone()).chain(worktrees).collect();
    let of_git = linked.into_iter().flat_map(written);
    let writable = std::iter::once(root.to_owned()).chain(of_git).collect();
    ProjectFolders { writable, repositories, nested: nested_repositories(root) }
}

/// The root of the project that a workspace belongs to, or the workspace itself.
pub(super) fn project_root(workspace: &Path) -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let places = SessionFolders::of(workspace, None);
    own_root(&places, home.as_deref()).unwrap_or(workspace).to_owned()
}

/// The project's root; `None`: it is another folder than the workspace and contains the user's home.
fn own_root<'p>(places: &'p SessionFolders, home: Option<&Path>) -> Option<&'p Path> {
    let root = places.root();
    let home = home.and_then(|home| home.canonicalize().ok());
    let has_home = root != places.workspace() && home.is_some_and(|home| home.starts_with(root));
    (!has_home).then_some(root)
}

/// The folders that git writes for a linked worktree of a repository: the worktree's own folder there, and of the shared
/// ones the objects, the branches and their logs. Not the hooks and the settings, which the other worktrees run by.
fn written(linked: LinkedWorktree) -> Vec<PathBuf> {
    let shared = ["objects", "refs", "logs"].map(|name| linked.common.join(name));
    let shared = shared.into_iter().filter(|folder| folder.canonicalize().is_ok_and(|real| real == *folder));
    shared.chain([linked.own]).collect()
}

#[cfg(test)]
mod tests;
