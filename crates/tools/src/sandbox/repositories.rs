//! The git folders in which some names decide what git runs: settings, hooks, and where it looks for both.

use std::fs::FileType;
use std::path::{Path, PathBuf};

use super::Sandbox;
use crate::runs_later::is_fixed_part;

/// A project's git folder, and the folder in one for the repositories of submodules, at any depth up to this.
const GIT: &str = ".git";
const MODULES: &str = "modules";
const DEPTH: usize = 4;

/// The git folders of the sandbox's projects, those of their submodules, and those that it has for other reasons. A folder
/// that is writable by itself was named by the user, and is not among them.
pub(super) fn repositories(sandbox: &Sandbox) -> Vec<PathBuf> {
    let mut found = sandbox.repositories.clone();
    for (folder, name) in sandbox.projects.iter().flat_map(|project| entries(project)) {
        if name == GIT && folder.is_dir() && !sandbox.writable.contains(&folder) {
            submodules(&folder.join(MODULES), DEPTH, &mut found);
            found.push(folder);
        }
    }
    found.sort();
    found.dedup();
    found
}

/// The repositories of submodules, which may be in folders of their names. One is known by what is protected in it: the rest
/// can be removed.
fn submodules(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    for (path, _) in entries(folder).filter(|(path, _)| path.is_dir()) {
        if entries(&path).any(|(_, name)| is_fixed_part(GIT, &name)) {
            submodules(&path.join(MODULES), depth, found);
            found.push(path);
        } else {
            submodules(&path, depth, found);
        }
    }
}

/// The entries of a folder with their names in lower case, without links: their targets are protected by themselves or not
/// at all.
pub(super) fn entries(folder: &Path) -> impl Iterator<Item = (PathBuf, String)> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let is_no_link = |kind: FileType| kind.is_file() || kind.is_dir();
    let entries = entries.filter(move |entry| entry.file_type().is_ok_and(is_no_link));
    entries.map(|entry| (entry.path(), entry.file_name().to_string_lossy().to_lowercase()))
}
