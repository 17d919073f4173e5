//! The probe that runs `git`.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;

use async_trait::async_trait;
use throughline_continuity::{GitError, GitProbe, GitStatus};
use tokio::process::Command;
use tokio::time::timeout;

use crate::environment::environment;
use crate::status;

/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(2);

/// Most bytes of an error text that are handed on.
const MOST_ERROR: usize = 500;

/// The settings of a repository may name a program that watches its files; it is not started.
const ARGUMENTS: [&str; 8] = [
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "status",
    "--porcelain=v2",
    "--branch",
    "-z",
    "--untracked-files=all",
];

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

    async fn run(&self) -> Result<Output, GitError> {
        let mut command = Command::new(&self.program);
        command.arg("-C").arg(&self.folder).args(ARGUMENTS);
        command.env_clear().envs(environment(std::env::vars_os()));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // What takes too long is ended when the future is dropped.
        command.kill_on_drop(true);
        match timeout(self.limit, command.output()).await {
            Err(_) => Err(GitError::TimedOut(u64::try_from(self.limit.as_millis()).unwrap_or(u64::MAX))),
            Ok(Err(error)) if error.kind() == ErrorKind::NotFound => Err(GitError::NoGit),
            Ok(Err(error)) => Err(GitError::Other(error.into())),
            Ok(Ok(output)) => Ok(output),
        }
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
        let output = self.run().await?;
        if output.status.success() { Ok(status::read(&output.stdout)) } else { Err(self.refusal(&output)) }
    }
}
