//! The branch and the working tree of a task.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::{Value, json};
use throughline_config::workspace;
use throughline_git::{CheckedOut, GitCli};
use throughline_terminal::note;

use super::args::{RunArgs, TreeArgs};

/// Characters of a branch name that is made of a title.
const NAME: usize = 40;

/// Where a task works.
#[derive(Debug)]
pub(super) struct TaskTree {
    git: GitCli,
    branch: String,
    checked_out: CheckedOut,
    /// The worktree of the task; `None`: it works in the user's own.
    worktree: Option<PathBuf>,
    remove: bool,
}

impl TaskTree {
    /// Checks out the branch, or adds the worktree and makes it the run's workspace. `None`: neither is asked for.
    pub(super) async fn enter(args: &mut RunArgs, title: &str) -> anyhow::Result<Option<Self>> {
        let TreeArgs { branch, worktree, remove_worktree } = args.tree.clone();
        if branch.is_none() && !worktree {
            return Ok(None);
        }
        let folder = workspace(args.session.workspace.as_deref())?;
        let git = GitCli::new(&folder);
        let branch = branch.unwrap_or_else(|| branch_of(title));
        if !worktree {
            let checked_out = git.switch(&branch).await.with_context(|| cannot(&branch))?;
            note(&format!("the task works on branch {branch}"));
            return Ok(Some(Self { git, branch, checked_out, worktree: None, remove: false }));
        }
        let top = git.top().await.context("a worktree needs a Git repository")?;
        let tree = worktree_of(&top, &branch)?;
        let checked_out = git.add_worktree(&tree, &branch).await.with_context(|| cannot(&branch))?;
        // A run below the top of the repository works in the same folder of the worktree.
        let inside = folder.strip_prefix(&top).map(|inside| tree.join(inside)).unwrap_or_default();
        args.session.workspace = Some(if inside.is_dir() { inside } else { tree.clone() });
        note(&format!("the task works on branch {branch} in the worktree {}", tree.display()));
        let git = GitCli::new(top);
        Ok(Some(Self { git, branch, checked_out, worktree: Some(tree), remove: remove_worktree }))
    }

    /// Removes the worktree if that was asked for and loses nothing, and prints what is left.
    pub(super) async fn leave(self) {
        let Self { git, branch, checked_out, worktree, remove } = self;
        let Some(tree) = worktree else {
            if !checked_out.before.is_empty() && checked_out.before != branch {
                note(&format!("{branch} is still checked out; back: git switch {}", checked_out.before));
            }
            return;
        };
        let shown = tree.display();
        if !remove {
            note(&format!("the worktree stays; to remove it: git worktree remove {shown}"));
            return;
        }
        if let Err(error) = git.remove_worktree(&tree).await {
            note(&format!("the worktree {shown} stays: {error}"));
            return;
        }
        let deleted =
            checked_out.created && git.delete_branch_at(&branch, &checked_out.commit).await.unwrap_or(false);
        match deleted {
            true => note(&format!("removed the worktree, and branch {branch}, which has no new commit")),
            false => note(&format!("removed the worktree; the work is on branch {branch}")),
        }
    }

    /// The tree, for the result.
    pub(super) fn object(&self) -> Value {
        json!({ "branch": self.branch, "worktree": self.worktree })
    }
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
fn worktree_of(top: &Path, branch: &str) -> anyhow::Result<PathBuf> {
    let name = top.file_name().context("the repository has no folder of its own")?.to_string_lossy();
    Ok(top.with_file_name(format!("{name}-{}", branch.replace(['/', '\\'], "-"))))
}

#[cfg(test)]
mod tests;
