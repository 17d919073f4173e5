//! Linked worktrees of a Git repository: further folders with its files, which `git worktree add` makes.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::places::owner;

/// Maximum bytes of a file that names a folder.
const MAX_BYTES: u64 = 4 * 1024;

/// The folders that git has for a linked worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedWorktree {
    /// The repository, which all its worktrees share.
    pub common: PathBuf,
    /// The worktree's own folder in it.
    pub own: PathBuf,
}

impl LinkedWorktree {
    /// The folders of the worktree with this root; `None`: it is no linked worktree.
    ///
    /// Its folder in the repository has to name it too: its `.git` is a file of the project, which may name any folder
    /// (<https://git-scm.com/docs/gitrepository-layout>).
    #[must_use]
    pub fn of(root: &Path) -> Option<Self> {
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
        Some(Self { common: common.to_owned(), own: own.clone() })
    }

    /// The root of the main working tree. `None`: the repository has none, or it belongs to another user than the worktree.
    #[must_use]
    pub fn main_root(&self) -> Option<PathBuf> {
        let root = self.common.parent().filter(|_| self.common.ends_with(".git"))?;
        (owner(root).is_some() && owner(root) == owner(&self.own)).then(|| root.to_owned())
    }
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
