//! The git folders in which some names decide what git runs: settings, hooks, and where it looks for both.

use std::collections::BTreeSet;
use std::fs::FileType;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::Sandbox;
use crate::regular_file::open_regular;
use crate::runs_later::is_fixed_part;

/// A project's git folder, or a file that says where it is.
const GIT: &str = ".git";

/// The folders in one for the repositories of submodules, which may be in folders of their names, and for further working trees.
const MODULES: &str = "modules";
const WORKTREES: &str = "worktrees";

/// Maximum bytes of a file that names a folder.
const MAX_BYTES: u64 = 4 * 1024;

/// The git folders of the sandbox's projects and those that it has for other reasons, with those of their submodules and of
/// further working trees. A folder that is writable by itself was named by the user, and is not among them, nor is one that
/// commands do not write.
pub(super) fn repositories(sandbox: &Sandbox) -> Vec<PathBuf> {
    let is_open = |folder: &PathBuf| sandbox.may_write(folder) && !sandbox.writable.contains(folder);
    let mut left = sandbox.repositories.clone();
    left.extend(sandbox.projects.iter().filter(|project| is_bare(project)).cloned());
    left.extend(sandbox.projects.iter().flat_map(|project| git_folders(project)).filter(is_open));
    let mut found = BTreeSet::new();
    while let Some(folder) = left.pop() {
        if found.insert(folder.clone()) {
            left.extend(named_in(&folder, &folder.join("commondir"), "").filter(is_open));
            let trees = entries(&folder.join(WORKTREES)).map(|(path, _)| path);
            left.extend(trees.chain(submodules(folder.join(MODULES))).filter(is_open));
        }
    }
    found.into_iter().filter(|folder| folder.is_dir()).collect()
}

/// The git folder of a project. Its `.git` may be a link or a file that leads there.
fn git_folders(project: &Path) -> impl Iterator<Item = PathBuf> {
    let own = entries(project).filter(|(_, name)| name == GIT).map(|(path, _)| path);
    let places: BTreeSet<PathBuf> = own.chain([project.join(GIT)]).collect();
    places.into_iter().filter_map(|place| match place.is_dir() {
        true => place.canonicalize().ok(),
        false => named_in(project, &place, "gitdir:"),
    })
}

/// Returns true if a folder is a git folder itself, as git sees it (gitrepository-layout(5)).
fn is_bare(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && ["objects", "refs"].iter().all(|name| folder.join(name).is_dir())
}

/// The repositories of submodules. One is known by what is protected in it: the rest can be removed.
fn submodules(folder: PathBuf) -> Vec<PathBuf> {
    let (mut found, mut left) = (Vec::new(), vec![folder]);
    while let Some(folder) = left.pop() {
        let inside: Vec<_> = entries(&folder).collect();
        if inside.iter().any(|(_, name)| is_fixed_part(GIT, name)) {
            found.push(folder);
        } else {
            left.extend(inside.into_iter().map(|(path, _)| path).filter(|path| path.is_dir()));
        }
    }
    found
}

/// The folder that a small file names behind these letters, from a folder on.
fn named_in(from: &Path, file: &Path, start: &str) -> Option<PathBuf> {
    let mut text = String::new();
    open_regular(file).ok()?.0.take(MAX_BYTES).read_to_string(&mut text).ok()?;
    from.join(text.strip_prefix(start)?.trim()).canonicalize().ok().filter(|folder| folder.is_dir())
}

/// The entries of a folder with their names in lower case, without links: their targets are protected by themselves or not
/// at all.
pub(super) fn entries(folder: &Path) -> impl Iterator<Item = (PathBuf, String)> + use<> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let is_no_link = |kind: FileType| kind.is_file() || kind.is_dir();
    let entries = entries.filter(move |entry| entry.file_type().is_ok_and(is_no_link));
    entries.map(|entry| (entry.path(), entry.file_name().to_string_lossy().to_lowercase()))
}
