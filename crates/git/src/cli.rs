//! The probe that runs `git`.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use throughline_documents::{GitError, GitProbe, GitStatus};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::environment::environment;
use crate::named_programs::without_programs;
use crate::own_programs::spawn_alone;
use crate::places::{has_repository, working_tree};
use crate::status;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(2);

/// Maximum bytes of an error text that are handed on.
const MOST_ERROR: usize = 500;

/// Before each command: nothing is locked, written or shown page by page, neither the program that watches the files
/// nor a hook that the settings of a repository name is started, and no git is started in a submodule, which would read the
/// settings there.
const BEFORE: [&str; 12] = [
    "--no-optional-locks",
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "submodule.recurse=false",
    "-c",
    "diff.submodule=short",
    "-c",
    "status.submoduleSummary=false",
];

/// The names of all settings that hold in the folder.
const SETTINGS: [&str; 4] = ["config", "--list", "--name-only", "-z"];

/// What is in the working trees of submodules is looked at by a git that reads their own settings: only their commits are.
const STATUS: [&str; 6] =
    ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--ignore-submodules=dirty"];

/// Whether there is a working tree, the commit, and the full name of the branch: a line each.
const HEAD: [&str; 5] = ["rev-parse", "--is-inside-work-tree", "HEAD", "--symbolic-full-name", "HEAD"];

/// Changes against the last commit, without drivers that the settings name.
const DIFF: [&str; 7] = [
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--submodule=short",
    "--ignore-submodules=dirty",
    "HEAD",
];

/// Files that git does not track and does not ignore.
const UNTRACKED: [&str; 4] = ["ls-files", "--others", "--exclude-standard", "-z"];

/// Asks the program `git` about the working tree that holds a folder.
#[derive(Debug, Clone)]
pub struct GitCli {
    folder: PathBuf,
    program: OsString,
    limit: Duration,
}

impl GitCli {
    /// Asks about this folder's tree, with the `git` of `PATH`, for two seconds at most.
    #[must_use]
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), program: "git".into(), limit: LIMIT }
    }

    /// The same with another program.
    #[must_use]
    pub fn with_program(self, program: impl Into<OsString>) -> Self {
        Self { program: program.into(), ..self }
    }

    /// The same with another limit of time.
    #[must_use]
    pub fn with_limit(self, limit: Duration) -> Self {
        Self { limit, ..self }
    }

    /// Where HEAD is. On a branch without a commit it names nothing yet, and the status is asked.
    async fn look_at_head(&self) -> Result<GitStatus, GitError> {
        match self.run(&[], &HEAD).await {
            Ok(output) => status::read_head(&output)
                .ok_or_else(|| GitError::NoRepository(self.folder.display().to_string())),
            Err(GitError::Refused(_)) => {
                let status = status::read(&self.look().await?);
                Ok(GitStatus { modified: Vec::new(), untracked: Vec::new(), ..status })
            }
            Err(error) => Err(error),
        }
    }

    /// The output of `git status`, with no program started that the settings name.
    async fn look(&self) -> Result<Vec<u8>, GitError> {
        let settings = self.settings().await?;
        let filters = without_programs(&settings).map_err(GitError::Refused)?;
        self.run(&filters, &STATUS).await
    }

    /// The changes of the working tree against the last commit, as `git diff` prints them, and the untracked files. No program
    /// is started that the settings of the repository name.
    ///
    /// # Errors
    /// [`GitError`]: there is no git, no repository, or no commit.
    pub async fn changes(&self) -> Result<String, GitError> {
        let looked = async {
            let filters = without_programs(&self.settings().await?).map_err(GitError::Refused)?;
            let diff = self.run(&filters, &DIFF).await?;
            Ok((diff, self.run(&filters, &UNTRACKED).await?))
        };
        let looked = timeout(self.limit, looked).await.unwrap_or_else(|_| Err(self.timed_out()));
        let (diff, untracked) = looked?;
        let mut text = String::from_utf8_lossy(&diff).into_owned();
        for path in String::from_utf8_lossy(&untracked).split('\0').filter(|path| !path.is_empty()) {
            text.push_str(&format!("untracked: {path}\n"));
        }
        Ok(text)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) async fn settings(&self) -> Result<Vec<u8>, GitError> {
        self.run(&[], &SETTINGS).await
    }

    /// The output of git, which starts no program but itself.
    pub(crate) async fn run(&self, options: &[String], arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        if !has_repository(&self.folder) {
            return Err(GitError::NoRepository(self.folder.display().to_string()));
        }
        let mut command = self.command(environment(std::env::vars_os()))?;
        if let Some(tree) = working_tree(&self.folder) {
            // The settings may name any other folder, in which files would be written.
            command.arg("--work-tree").arg(tree);
        }
        command.args(options).args(arguments);
        self.output_of(spawn_alone(command)).await
    }

    /// Git in the folder, with these variables and without an operation.
    pub(crate) fn command(
        &self,
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Result<Command, GitError> {
        let Some(program) = throughline_programs::find(&self.program) else { return Err(GitError::NoGit) };
        let mut command = Command::new(program);
        command.arg("-C").arg(&self.folder).args(BEFORE);
        command.env_clear().envs(variables);
        command.env("PATH", throughline_programs::search_path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // What takes too long is ended when the future is dropped.
        command.kill_on_drop(true);
        Ok(command)
    }

    /// What a git prints until it ends.
    pub(crate) async fn output_of(&self, started: std::io::Result<Child>) -> Result<Vec<u8>, GitError> {
        let output = match started {
            Ok(child) => child.wait_with_output().await,
            Err(error) => Err(error),
        };
        match output {
            Err(error) if error.kind() == ErrorKind::NotFound => Err(GitError::NoGit),
            Err(error) => Err(GitError::Other(error.into())),
            Ok(output) if !output.status.success() => Err(self.refusal(&output)),
            Ok(output) => Ok(output.stdout),
        }
    }

    fn timed_out(&self) -> GitError {
        GitError::TimedOut(u64::try_from(self.limit.as_millis()).unwrap_or(u64::MAX))
    }

    fn refusal(&self, output: &Output) -> GitError {
        let said = String::from_utf8_lossy(&output.stderr);
        let outside = ["not a git repository", "must be run in a work tree", "cannot change to"];
        if outside.iter().any(|text| said.contains(text)) {
            return GitError::NoRepository(self.folder.display().to_string());
        }
        let said = said.trim();
        let said = said.get(..said.floor_char_boundary(MOST_ERROR)).unwrap_or(said);
        GitError::Refused(if said.is_empty() { output.status.to_string() } else { said.to_owned() })
    }
}

#[async_trait]
impl GitProbe for GitCli {
    async fn status(&self) -> Result<GitStatus, GitError> {
        let looked = timeout(self.limit, self.look()).await.unwrap_or_else(|_| Err(self.timed_out()));
        Ok(status::read(&looked?))
    }

    async fn head(&self) -> Result<GitStatus, GitError> {
        timeout(self.limit, self.look_at_head()).await.unwrap_or_else(|_| Err(self.timed_out()))
    }
}
