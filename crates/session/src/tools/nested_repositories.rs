//! The repositories inside a project: submodules, and folders that were cloned into it.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use throughline_git::submodule_folders;

/// How deep they are looked for, in how many entries of folders, and the maximum number of them.
const DEPTH: usize = 4;
const ENTRIES: usize = 4_000;
const MOST: usize = 64;

/// Folders of build tools, which have too many entries.
const SKIPPED: [&str; 4] = [".git", ".venv", "node_modules", "target"];

/// The folders below the root with a `.git` of their own. Submodules that `.gitmodules` lists are found at any depth.
pub(super) fn nested_repositories(root: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = listed(root).filter(|folder| is_repository(folder)).take(MOST).collect();
    let (mut left, mut folders) = (ENTRIES, VecDeque::from([(root.to_owned(), DEPTH)]));
    while let Some((folder, depth)) = folders.pop_front() {
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            let Some(less) = left.checked_sub(1) else { return found };
            left = less;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if !is_folder || SKIPPED.iter().any(|name| entry.file_name() == *name) {
                continue;
            }
            let path = entry.path();
            if is_repository(&path) && found.len() < MOST && !found.contains(&path) {
                found.push(path.clone());
            }
            if depth > 1 {
                folders.push_back((path, depth - 1));
            }
        }
    }
    found
}

/// A link is not looked at: its target is protected by itself or not at all.
fn is_repository(folder: &Path) -> bool {
    folder.join(".git").symlink_metadata().is_ok_and(|found| !found.is_symlink())
}

/// The folders of the submodules that `.gitmodules` lists.
fn listed(root: &Path) -> impl Iterator<Item = PathBuf> {
    let real = submodule_folders(root).into_iter().filter_map(|path| path.canonicalize().ok());
    real.filter(move |real| real.starts_with(root))
}
