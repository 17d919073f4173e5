//! Runs commands with a filtered environment and in a sandbox, and buffers their output.

use std::io::Result;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::process::Command;

use super::output_buffer::OutputBuffer;
use super::process::{CommandEnding, Process};
use super::running_command::RunningCommand;
use crate::environment::Environment;
use crate::lifeline::Lifeline;
use crate::output_files::OutputFiles;
use crate::process_group::ProcessGroup;
use crate::sandbox::{Launcher, Sandbox, SandboxStatus};
use crate::temp_folder::TempFolder;
use crate::tool::ToolContext;

/// A command that writes more than this is taken for one that never stops.
const MAX_OUTPUT: u64 = 2 * 1024 * 1024 * 1024;

/// Runs command lines in `bash`, or `sh` where there is no `bash`. Cheap to clone.
#[derive(Debug, Clone)]
pub struct CommandRunner {
    environment: Arc<Environment>,
    sandbox: Option<Arc<CommandSandbox>>,
    launcher: Option<Arc<Launcher>>,
    output_files: OutputFiles,
    max_output: u64,
}

#[derive(Debug)]
struct CommandSandbox {
    sandbox: Sandbox,
    status: SandboxStatus,
    /// The folder for temporary files, which is removed with the last owner.
    _temp: Option<TempFolder>,
}

impl Default for CommandRunner {
    fn default() -> Self {
        Self {
            environment: Arc::default(),
            sandbox: None,
            launcher: None,
            output_files: OutputFiles::new(),
            max_output: MAX_OUTPUT,
        }
    }
}

impl CommandRunner {
    /// A runner without a sandbox, whose commands get the variables of [`Environment::new`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Passes these environment variables to commands.
    #[must_use]
    pub fn environment(self, environment: Environment) -> Self {
        Self { environment: Arc::new(environment), ..self }
    }

    /// Runs commands in this sandbox. Where the system cannot enforce it, the output of each command says so.
    #[must_use]
    pub fn sandboxed(self, sandbox: Sandbox, launcher: Launcher) -> Self {
        let (status, mut sandbox) = (Sandbox::status(), sandbox.resolved());
        // Without one commands have the writable folders alone.
        let temp = TempFolder::new().ok();
        if let Some(folder) = temp.as_ref().and_then(|temp| temp.path().canonicalize().ok()) {
            sandbox = sandbox.temp(folder);
        }
        let active = CommandSandbox { sandbox, status, _temp: temp };
        Self { sandbox: Some(Arc::new(active)), ..self.launched_by(launcher) }
    }

    /// Starts commands through this launcher, in a new terminal session, even without a sandbox: a command without a
    /// terminal cannot ask for a password on it. Without a launcher, or if its program does not exist, commands inherit the
    /// terminal of this process.
    #[must_use]
    pub fn launched_by(self, launcher: Launcher) -> Self {
        Self { launcher: Some(Arc::new(launcher)), ..self }
    }

    /// The files of long outputs.
    pub(in crate::builtin) fn output_files(&self) -> &OutputFiles {
        &self.output_files
    }

    /// Ends commands that write more than this many bytes, instead of [`MAX_OUTPUT`].
    #[cfg(test)]
    pub(in crate::builtin) fn with_max_output(self, bytes: u64) -> Self {
        Self { max_output: bytes, ..self }
    }

    /// Runs a command line in the context's folder and returns its output and how it ended. It has no input, and its whole
    /// process group ends with it. `call_id` is passed to the context's output sink.
    ///
    /// A longer output is truncated to its first and its last 2 MiB; then the whole output is in a file, which it names.
    ///
    /// # Errors
    /// When the command cannot be started.
    pub async fn run(
        &self,
        command: &str,
        context: &ToolContext,
        limit: Duration,
        call_id: &str,
    ) -> Result<(Vec<u8>, CommandEnding)> {
        let mut running = self.begin(command, &context.workspace)?;
        let ending = running.wait(context, limit, call_id).await;
        Ok((running.end(context, call_id).await, ending))
    }

    /// Starts a command line for a call that waits for it.
    pub(super) fn begin(&self, line: &str, folder: &Path) -> Result<RunningCommand> {
        let (process, group) = self.start(line, folder)?;
        let buffer = OutputBuffer::new(self.output_files.clone());
        Ok(RunningCommand { process, group, buffer, max_output: self.max_output, begun: Instant::now() })
    }

    /// Starts a command line without an input.
    pub(super) fn start(&self, line: &str, folder: &Path) -> Result<(Process, ProcessGroup)> {
        let (command, lifeline) = self.shell(line)?;
        Process::start(command, folder, lifeline)
    }

    /// The shell with a command line, in the sandbox, and the pipe to its supervisor.
    pub(super) fn shell(&self, line: &str) -> Result<(Command, Option<Lifeline>)> {
        let shell = if Path::new("/bin/bash").exists() { "/bin/bash" } else { "/bin/sh" };
        let sandbox =
            self.sandbox.as_ref().filter(|active| !matches!(active.status, SandboxStatus::Unavailable(_)));
        // A sandboxed command must not run without the launcher, another command may.
        let launcher = self.launcher.as_ref().filter(|launcher| sandbox.is_some() || launcher.exists());
        let (mut command, lifeline) = match launcher {
            None => (Command::new(shell), None),
            Some(launcher) => launcher.command(sandbox.map(|active| &active.sandbox), shell.as_ref())?,
        };
        command.env_clear().envs(self.environment.of(std::env::vars_os()));
        // There is no terminal: a pager or a password prompt would wait for ever.
        command.env("PAGER", "cat").env("GIT_PAGER", "cat").env("GIT_TERMINAL_PROMPT", "0");
        command.arg("-c").arg(line);
        if launcher.is_none() {
            // The launcher starts a new terminal session, which the leader of a process group may not.
            command.process_group(0);
        }
        Ok((command, lifeline))
    }

    pub(super) fn job_buffer(&self) -> OutputBuffer {
        OutputBuffer::for_job(self.output_files.clone())
    }

    pub(super) fn max_output(&self) -> u64 {
        self.max_output
    }

    /// A note about the sandbox for the model, after a command that the sandbox may have stopped.
    pub(super) fn note(&self, output: &[u8], ending: &CommandEnding) -> Option<String> {
        /// The cause of a failure is near the end of the output.
        const END: usize = 4_096;
        let active = self.sandbox.as_ref()?;
        if let SandboxStatus::Unavailable(_) = &active.status {
            return Some(format!("[no sandbox: {}]", active.status));
        }
        let end = String::from_utf8_lossy(output.get(output.len().saturating_sub(END)..).unwrap_or_default());
        let denied = ["Permission denied", "permission denied", "EACCES", "Operation not permitted"];
        if matches!(ending, CommandEnding::Exit(0)) || !denied.iter().any(|words| end.contains(words)) {
            return None;
        }
        let folders: Vec<String> =
            active.sandbox.writable().iter().map(|folder| folder.display().to_string()).collect();
        Some(format!("[the sandbox lets commands write only in: {}]", folders.join(", ")))
    }
}
