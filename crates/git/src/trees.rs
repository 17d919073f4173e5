//! Branches and further working trees, for work that a user wants apart from the rest.

use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use throughline_documents::GitError;
use tokio::time::timeout;

use crate::cli::GitCli;
use crate::named_programs::without_programs;
use crate::places::working_tree;

/// How long a checkout may take.
const CHECKOUT: Duration = Duration::from_secs(120);

/// A branch that was checked out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedOut {
    /// The branch that was checked out before, in the same working tree. Empty: none.
    pub before: String,
    /// The commit that the branch had then.
    pub commit: String,
    /// The branch was created.
    pub created: bool,
}

impl GitCli {
    /// The top folder of the working tree.
    ///
    /// # Errors
    /// [`GitError`]: the folder is in no working tree, or git does not answer.
    pub async fn top(&self) -> Result<PathBuf, GitError> {
        Ok(PathBuf::from(self.line(&["rev-parse", "--show-toplevel"]).await?))
    }

    /// Checks out a branch in this working tree. A missing one is created at the current commit.
    ///
    /// # Errors
    /// [`GitError`]: the name is no name of a branch, or uncommitted changes would be lost. Then nothing has changed.
    pub async fn switch(&self, branch: &str) -> Result<CheckedOut, GitError> {
        let created = !self.has_branch(branch).await?;
        let before = self.line(&["branch", "--show-current"]).await?;
        let create: &[&str] = if created { &["-c"] } else { &[] };
        self.checkout(&[&["switch", "--quiet", "--no-guess"], create, &[branch]].concat()).await?;
        let commit = self.line(&["rev-parse", "HEAD"]).await?;
        Ok(CheckedOut { before, commit, created })
    }

    /// Adds a working tree in a new folder, with this branch checked out. A missing branch is created at the current commit.
    /// A folder that is a working tree of this branch already is used unchanged.
    ///
    /// # Errors
    /// [`GitError`]: the folder has other contents, or the branch is checked out elsewhere. Then nothing has changed.
    pub async fn add_worktree(&self, folder: &Path, branch: &str) -> Result<CheckedOut, GitError> {
        let created = !self.has_branch(branch).await?;
        let there = Self::new(folder);
        if !created && folder.exists() && there.is_worktree_on(branch).await {
            let commit = there.line(&["rev-parse", "HEAD"]).await?;
            return Ok(CheckedOut { before: String::new(), commit, created: false });
        }
        let shown = folder.to_string_lossy();
        let what: &[&str] = if created { &["-b", branch, &shown] } else { &[&shown, branch] };
        self.checkout(&[&["worktree", "add", "--quiet", "--no-checkout"], what].concat()).await?;
        let commit = there.line(&["rev-parse", "HEAD"]).await?;
        // Settings can hold for the new tree alone: what they name is looked up there.
        if let Err(error) = there.checkout(&["reset", "--quiet", "--hard"]).await {
            // It says why; a folder that stays is seen.
            let _ = self.checkout(&["worktree", "remove", "--force", &shown]).await;
            let _ = if created { self.delete_branch_at(branch, &commit).await } else { Ok(false) };
            return Err(error);
        }
        Ok(CheckedOut { before: String::new(), commit, created })
    }

    /// Removes a working tree that has no uncommitted changes and no files that git does not know.
    ///
    /// # Errors
    /// [`GitError`]: it has such changes. Then it stays.
    pub async fn remove_worktree(&self, folder: &Path) -> Result<(), GitError> {
        let shown = folder.to_string_lossy();
        // Git looks at what has changed by the settings of that tree.
        let there = Self::new(folder).settings().await?;
        self.checkout_with(there, &["worktree", "remove", &shown]).await
    }

    /// Deletes a branch that still is at `commit`. Returns false if it has moved on since.
    ///
    /// # Errors
    /// [`GitError`]: the branch is missing, or checked out.
    pub async fn delete_branch_at(&self, branch: &str, commit: &str) -> Result<bool, GitError> {
        let name = format!("refs/heads/{branch}");
        if self.line(&["rev-parse", "--verify", "--quiet", &name]).await? != commit {
            return Ok(false);
        }
        self.checkout(&["branch", "--quiet", "-D", branch]).await?;
        Ok(true)
    }

    async fn is_worktree_on(&self, branch: &str) -> bool {
        let own = self.top().await.ok().and_then(|top| top.canonicalize().ok());
        let wanted = self.folder().canonicalize().ok();
        let on = self.line(&["branch", "--show-current"]).await;
        own.is_some() && own == wanted && on.is_ok_and(|on| on == branch)
    }

    /// Returns true if there is a branch of this name.
    async fn has_branch(&self, branch: &str) -> Result<bool, GitError> {
        self.line(&["check-ref-format", "--branch", branch])
            .await
            .map_err(|_| GitError::Refused(format!("{branch:?} is not a name of a branch")))?;
        let name = format!("refs/heads/{branch}");
        let found = self.line(&["for-each-ref", "--format=%(refname)", &name]).await?;
        Ok(found.lines().any(|found| found == name))
    }

    pub(crate) async fn line(&self, arguments: &[&str]) -> Result<String, GitError> {
        let out = self.limited(CHECKOUT, self.run(&[], arguments)).await?;
        Ok(String::from_utf8_lossy(&out).trim().to_owned())
    }

    /// Runs a command that changes files. No filter of the repository's settings is started.
    pub(crate) async fn checkout(&self, arguments: &[&str]) -> Result<(), GitError> {
        self.checkout_with(Vec::new(), arguments).await
    }

    /// The same for a command that reads these settings, too.
    async fn checkout_with(&self, mut settings: Vec<u8>, arguments: &[&str]) -> Result<(), GitError> {
        // The settings of a repository without a working tree may name any folder for one, in which files would be written.
        let writes = matches!(arguments.first(), Some(&("switch" | "checkout" | "reset")));
        if writes && working_tree(self.folder()).is_none() {
            return Err(GitError::NoRepository(self.folder().display().to_string()));
        }
        let run = async {
            settings.extend(self.settings().await?);
            let filters = without_programs(&settings).map_err(GitError::Refused)?;
            self.run(&filters, arguments).await
        };
        match self.limited(CHECKOUT, run).await {
            // Git names a file of its own as the reason.
            Err(GitError::Refused(why)) => Err(self.unwritable().await.unwrap_or(GitError::Refused(why))),
            done => done.map(drop),
        }
    }

    /// Why nothing can be written into the repository's folder; `None`: for all that is known, it can.
    async fn unwritable(&self) -> Option<GitError> {
        let folder = self.folder().join(self.line(&["rev-parse", "--git-common-dir"]).await.ok()?);
        let probe = folder.join(format!("throughline-{}.lock", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&probe) {
            Ok(_) => {
                let _ = fs::remove_file(&probe);
                None
            }
            Err(source) => {
                matches!(source.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied)
                    .then(|| GitError::Unwritable { folder: folder.display().to_string(), source })
            }
        }
    }

    pub(crate) async fn limited<T>(
        &self,
        limit: Duration,
        run: impl Future<Output = Result<T, GitError>>,
    ) -> Result<T, GitError> {
        let millis = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        timeout(limit, run).await.unwrap_or(Err(GitError::TimedOut(millis)))
    }
}
