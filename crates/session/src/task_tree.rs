//! The branch and the working tree of a task.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use throughline_documents::GitProbe as _;
use throughline_git::{CheckedOut, GitCli};
use throughline_stored::{Attempt as _, Error, Result};

/// Characters of a branch name that is made of a title.
const NAME: usize = 40;

/// Files that are named as not committed.
const UNCOMMITTED: usize = 3;

/// Which branch or worktree a task asks for.
#[derive(Debug, Clone, Default)]
pub struct TreeChoice {
    /// The branch; a missing one is created. `None`: one that is named after the task.
    pub branch: Option<String>,
    /// Work in a worktree of its own, next to the repository.
    pub worktree: bool,
    /// Remove the worktree afterwards, if that loses nothing.
    pub remove_worktree: bool,
}

/// Where a task works.
#[derive(Debug)]
pub struct TaskTree {
    git: GitCli,
    branch: String,
    checked_out: CheckedOut,
    /// The worktree of the task; `None`: it works in the user's own.
    worktree: Option<Worktree>,
    remove: bool,
}

/// What a task left of the place where it worked.
#[derive(Debug)]
pub struct LeftTree {
    /// `None`: it was removed.
    branch: Option<String>,
    /// `None`: the task worked in the user's own.
    worktree: Option<PathBuf>,
    /// The worktree was removed.
    pub is_removed: bool,
    /// What to say of it to the user.
    pub notice: Option<String>,
}

#[derive(Debug)]
struct Worktree {
    top: PathBuf,
    /// The folder in it that the task works in.
    workspace: PathBuf,
}

impl TaskTree {
    /// Checks out the branch, or adds the worktree, for a task in this folder.
    ///
    /// # Errors
    /// The folder is in no repository, or git refuses.
    pub async fn enter(choice: TreeChoice, folder: &Path, title: &str) -> Result<Self> {
        let TreeChoice { branch, worktree, remove_worktree } = choice;
        let git = GitCli::new(folder);
        let branch = branch.unwrap_or_else(|| branch_of(title));
        if !worktree {
            let checked_out = git.switch(&branch).await.attempt(|| cannot(&branch))?;
            return Ok(Self { git, branch, checked_out, worktree: None, remove: false });
        }
        let repository = git.top().await.attempt(|| "a worktree needs a Git repository".to_owned())?;
        let top = worktree_of(&repository, &branch)?;
        let checked_out = git.add_worktree(&top, &branch).await.attempt(|| cannot(&branch))?;
        // A run below the top of the repository works in the same folder of the worktree.
        let inside = folder.strip_prefix(&repository).map(|inside| top.join(inside)).unwrap_or_default();
        let workspace = if inside.is_dir() { inside } else { top.clone() };
        let git = GitCli::new(repository);
        let worktree = Some(Worktree { top, workspace });
        Ok(Self { git, branch, checked_out, worktree, remove: remove_worktree })
    }

    /// Where the task works, for the user.
    #[must_use]
    pub fn notice(&self) -> String {
        let branch = &self.branch;
        match &self.worktree {
            None => format!("the task works on branch {branch}"),
            Some(tree) => {
                format!("the task works on branch {branch} in the worktree {}", tree.top.display())
            }
        }
    }

    /// The folder of the worktree that replaces the run's own.
    #[must_use]
    pub fn workspace(&self) -> Option<&Path> {
        self.worktree.as_ref().map(|tree| tree.workspace.as_path())
    }

    /// Removes the worktree if that was asked for and loses nothing.
    pub async fn leave(self) -> LeftTree {
        let Self { git, branch, checked_out, worktree, remove } = self;
        let Some(Worktree { top, .. }) = worktree else {
            let before = checked_out.before;
            let other = !before.is_empty() && before != branch;
            let notice = other.then(|| format!("{branch} is still checked out; back: git switch {before}"));
            return LeftTree { branch: Some(branch), worktree: None, is_removed: false, notice };
        };
        let shown = top.display().to_string();
        let stays = |branch: String, worktree: PathBuf, notice: String| LeftTree {
            branch: Some(branch),
            worktree: Some(worktree),
            is_removed: false,
            notice: Some(notice),
        };
        if !remove {
            let notice = format!("the worktree stays; to remove it: git worktree remove {shown}");
            return stays(branch, top, notice);
        }
        if let Err(error) = git.remove_worktree(&top).await {
            let why = match uncommitted(&top).await {
                Some(files) => format!("not everything in it is committed: {files}"),
                None => error.to_string(),
            };
            return stays(branch, top, format!("the worktree {shown} stays: {why}"));
        }
        let deleted =
            checked_out.created && git.delete_branch_at(&branch, &checked_out.commit).await.unwrap_or(false);
        let notice = match deleted {
            true => format!("removed the worktree, and branch {branch}, which has no new commit"),
            false => format!("removed the worktree; the work is on branch {branch}"),
        };
        let branch = Some(branch).filter(|_| !deleted);
        LeftTree { branch, worktree: Some(top), is_removed: true, notice: Some(notice) }
    }
}

impl LeftTree {
    /// The tree, for the result.
    #[must_use]
    pub fn object(&self) -> Value {
        let Self { branch, worktree, is_removed, .. } = self;
        match is_removed {
            true => json!({ "branch": branch, "worktree": worktree, "removed": true }),
            false => json!({ "branch": branch, "worktree": worktree }),
        }
    }
}

/// The first files of a worktree that are not committed; `None`: all are, or git does not say.
async fn uncommitted(top: &Path) -> Option<String> {
    let status = GitCli::new(top).status().await.ok()?;
    let files: Vec<String> = status.modified.into_iter().chain(status.untracked).collect();
    let more = files.len().saturating_sub(UNCOMMITTED);
    let mut shown = files.get(..UNCOMMITTED).unwrap_or(&files).join(", ");
    if more > 0 {
        shown.push_str(&format!(" and {more} more"));
    }
    Some(shown).filter(|_| !files.is_empty())
}

fn cannot(branch: &str) -> String {
    format!("cannot work on branch {branch}")
}

/// The branch of a task without a name for it.
fn branch_of(title: &str) -> String {
    let mut name = String::new();
    for letter in title.chars().take(NAME) {
        match letter.to_ascii_lowercase() {
            letter if letter.is_ascii_alphanumeric() => name.push(letter),
            _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
            _ => {}
        }
    }
    let name = name.trim_end_matches('-');
    format!("throughline/{}", if name.is_empty() { "task" } else { name })
}

/// The folder of a branch's worktree: next to the repository, with both names.
fn worktree_of(top: &Path, branch: &str) -> Result<PathBuf> {
    let name = top
        .file_name()
        .ok_or_else(|| Error::Refused("the repository has no folder of its own".to_owned()))?;
    let name = name.to_string_lossy();
    Ok(top.with_file_name(format!("{name}-{}", branch.replace(['/', '\\'], "-"))))
}

#[cfg(test)]
mod tests;
