//! Where the HEAD of a repository is, by its files: no program is started for that.

use std::fs;
use std::path::{Path, PathBuf};

/// Maximum bytes of a file that is read.
const MAX_BYTES: u64 = 4 << 20;
/// Characters of a commit that are shown.
const SHORT: usize = 7;

/// The commit of HEAD and its branch, as `a9bd05e (master)`. `None`: the folder is not the top of a repository, or nothing is committed.
pub(super) fn head_of(project: &Path) -> Option<String> {
    let folder = git_folder(&project.join(".git"))?;
    let head = line(&folder.join("HEAD"))?;
    let Some(name) = head.strip_prefix("ref: ") else { return Some(head.get(..SHORT)?.to_owned()) };
    // A further worktree has its branches in the repository.
    let shared = line(&folder.join("commondir")).map_or_else(|| folder.clone(), |path| folder.join(path));
    let commit = line(&shared.join(name)).or_else(|| packed(&shared, name))?;
    Some(format!("{} ({})", commit.get(..SHORT)?, name.trim_start_matches("refs/heads/")))
}

/// The git folder, which may be named by a file in its place.
fn git_folder(place: &Path) -> Option<PathBuf> {
    if place.is_dir() {
        return Some(place.to_owned());
    }
    let named = line(place)?;
    Some(place.parent()?.join(named.strip_prefix("gitdir: ")?))
}

fn packed(folder: &Path, name: &str) -> Option<String> {
    let text = text(&folder.join("packed-refs"))?;
    let found = text.lines().filter_map(|line| line.split_once(' ')).find(|(_, own)| *own == name);
    found.map(|(commit, _)| commit.to_owned())
}

/// The first line of a file.
fn line(path: &Path) -> Option<String> {
    Some(text(path)?.lines().next()?.trim().to_owned())
}

/// The text of a file. A command may have put anything in its place.
fn text(path: &Path) -> Option<String> {
    let found = fs::metadata(path).ok().filter(|found| found.is_file() && found.len() <= MAX_BYTES);
    found.and_then(|_| fs::read_to_string(path).ok())
}

#[cfg(test)]
mod tests;
