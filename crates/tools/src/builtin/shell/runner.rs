//! How commands are run: with which environment, in which sandbox, and what becomes of their output.

use std::io::Result;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::process::Command;

use super::capture::Capture;
use super::process::{CommandEnding, Process};
use super::spool::Spool;
use crate::{Launcher, ProcessGroup, Sandbox, SandboxStatus, ToolContext};

/// A command that has written so much is taken for one that never stops.
const MOST_OUTPUT: u64 = 2 * 1024 * 1024 * 1024;

/// Runs commands. Cheap to clone.
#[derive(Debug, Clone)]
pub struct CommandRunner {
    hidden: Arc<[String]>,
    cage: Option<Arc<Cage>>,
    launcher: Option<Arc<Launcher>>,
    spool: Spool,
    most: u64,
}

#[derive(Debug)]
struct Cage {
    sandbox: Sandbox,
    status: SandboxStatus,
}

impl Default for CommandRunner {
    fn default() -> Self {
        Self { hidden: Arc::default(), cage: None, launcher: None, spool: Spool::new(), most: MOST_OUTPUT }
    }
}

impl CommandRunner {
    /// Runs commands without a sandbox and with the whole environment.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Commands do not get these environment variables: what a command prints goes to the model and into the log, and
    /// keys belong in neither.
    #[must_use]
    pub fn hiding(self, variables: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { hidden: variables.into_iter().map(Into::into).collect(), ..self }
    }

    /// Commands run in this sandbox, so far as the system can keep it; where it cannot, the output says so.
    #[must_use]
    pub fn sandboxed(self, sandbox: Sandbox, launcher: Launcher) -> Self {
        let (status, sandbox) = (Sandbox::status(), sandbox.resolved());
        Self { cage: Some(Arc::new(Cage { sandbox, status })), ..self.launched_by(launcher) }
    }

    /// Commands begin a session of their own through this launcher, also without a sandbox: they have no terminal then, so
    /// none can ask for a password on it. Without a launcher, or where its program is not there, they keep the terminal
    /// of this process, if it has one.
    #[must_use]
    pub fn launched_by(self, launcher: Launcher) -> Self {
        Self { launcher: Some(Arc::new(launcher)), ..self }
    }

    /// Where long outputs are kept.
    pub(crate) fn spool(&self) -> &Spool {
        &self.spool
    }

    /// Commands are ended that write more than so many bytes; 2 GiB without it.
    #[must_use]
    pub fn ending_after(self, bytes: u64) -> Self {
        Self { most: bytes, ..self }
    }

    /// Runs a command line in the context's folder, in a process group of its own that is ended with it, and gives what
    /// it wrote and how it ended. It has no input. `call_id` tells the context's sink what it sees.
    ///
    /// Of what it writes, the first and the last 2 MiB are given, and the whole is kept in a file when it is more.
    ///
    /// # Errors
    /// When it cannot be started.
    pub async fn run(
        &self,
        command: &str,
        context: &ToolContext,
        limit: Duration,
        call_id: &str,
    ) -> Result<(Vec<u8>, CommandEnding)> {
        let (mut process, group) = self.start(command, &context.workspace)?;
        let mut capture = Capture::new(self.spool.clone());
        let mut take = |part: &[u8]| {
            capture.push(part);
            if let Some(sink) = &context.output
                && !part.is_empty()
            {
                sink.output(call_id, part);
            }
        };
        let ending = tokio::select! {
            ending = process.follow(self.most, &mut take) => ending,
            () = tokio::time::sleep(limit) => CommandEnding::TimedOut,
            () = context.cancel.cancelled() => CommandEnding::Cancelled,
        };
        drop(group);
        process.settle(&mut take).await;
        Ok((capture.finish(), ending))
    }

    /// Starts a command line.
    pub(super) fn start(&self, line: &str, folder: &Path) -> Result<(Process, ProcessGroup)> {
        let shell = if Path::new("/bin/bash").exists() { "/bin/bash" } else { "/bin/sh" };
        let caged = self.cage.as_ref().filter(|cage| !matches!(cage.status, SandboxStatus::Unavailable(_)));
        // What runs in the sandbox does not run without the launcher; what runs without one does.
        let launcher = self.launcher.as_ref().filter(|launcher| caged.is_some() || launcher.is_there());
        let mut command = match launcher {
            None => Command::new(shell),
            Some(launcher) => {
                let (program, arguments) = launcher.line(caged.map(|cage| &cage.sandbox), shell);
                let mut command = Command::new(program);
                command.args(arguments);
                command
            }
        };
        for name in self.hidden.iter() {
            command.env_remove(name);
        }
        command.arg("-c").arg(line);
        // The launcher begins a session of its own, which a leader of a group may not.
        Process::start(command, folder, launcher.is_none())
    }

    /// What takes the output of a job.
    pub(super) fn job_capture(&self) -> Capture {
        Capture::of_job(self.spool.clone())
    }

    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// What the model should know of the sandbox after a command that wrote this and ended so.
    pub(super) fn note(&self, output: &[u8], ending: &CommandEnding) -> Option<String> {
        /// The cause of a failure stands near the end.
        const END: usize = 4_096;
        let cage = self.cage.as_ref()?;
        if let SandboxStatus::Unavailable(_) = &cage.status {
            return Some(format!("[no sandbox: {}]", cage.status));
        }
        let end = String::from_utf8_lossy(output.get(output.len().saturating_sub(END)..).unwrap_or_default());
        let denied = ["Permission denied", "permission denied", "EACCES", "Operation not permitted"];
        if matches!(ending, CommandEnding::Exit(0)) || !denied.iter().any(|words| end.contains(words)) {
            return None;
        }
        let folders: Vec<String> =
            cage.sandbox.writable().iter().map(|folder| folder.display().to_string()).collect();
        Some(format!("[the sandbox lets commands write only in: {}]", folders.join(", ")))
    }
}
