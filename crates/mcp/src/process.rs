//! Servers that are programs, each in its own process group.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use throughline_text::cut_end;
use throughline_tools::{Environment, Launcher, ProcessGroup};
use tokio::process::{Child, ChildStderr, ChildStdin, Command};
use tokio::time::timeout;

use crate::checked_lines::CheckedTransport;
use crate::limits;

/// Time to wait for the remaining output of a program that has exited.
const DRAIN: Duration = Duration::from_millis(250);

/// A program to start.
#[derive(Debug, Clone)]
pub(crate) struct Program<'a> {
    pub(crate) command: &'a str,
    pub(crate) args: &'a [String],
    pub(crate) env: &'a BTreeMap<String, String>,
    pub(crate) folder: PathBuf,
    /// Starts it so that nothing of it outlives this process.
    pub(crate) launcher: Option<&'a Launcher>,
}

impl Program<'_> {
    /// Starts it. Returns the connection and its standard error.
    pub(crate) fn spawn(&self) -> Result<(ChildTransport, ChildStderr)> {
        let mut variables = environment(std::env::vars_os(), self.env);
        let mut program = PathBuf::from(self.command);
        // With a search path of its own the server is where the user says.
        if !self.env.contains_key("PATH") {
            program = throughline_programs::find(self.command).ok_or(ErrorKind::NotFound)?;
            variables.push(("PATH".into(), throughline_programs::search_path()));
        }
        let (mut command, lifeline) = match self.launcher {
            Some(launcher) => launcher.supervised(&program)?,
            None => (Command::new(&program), None),
        };
        if self.launcher.is_none() {
            command.process_group(0);
        }
        let mut child = command
            .args(self.args)
            .env_clear()
            .envs(variables)
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(lifeline.is_none())
            .spawn()?;
        let group = ProcessGroup::of(&child, lifeline);
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Error::other("the program has no input or output"));
        };
        let io = CheckedTransport::new(output, input);
        let (ended, exit) = (Arc::default(), Arc::default());
        Ok((ChildTransport { io, child, group, ended, exit }, errors))
    }
}

impl Program<'_> {
    /// The command line, for the user.
    pub(crate) fn shown(&self) -> String {
        let words: Vec<&str> =
            std::iter::once(self.command).chain(self.args.iter().map(String::as_str)).collect();
        cut_end(&words.join(" "), limits::QUOTE).to_owned()
    }
}

/// The working folder of a program.
pub(crate) fn folder(workspace: &Path, cwd: Option<&Path>) -> PathBuf {
    cwd.map_or_else(|| workspace.to_owned(), |cwd| workspace.join(cwd))
}

/// The environment of a server: the variables that commands of the model get too, and its own.
fn environment(
    ours: impl IntoIterator<Item = (OsString, OsString)>,
    own: &BTreeMap<String, String>,
) -> Vec<(OsString, OsString)> {
    let base = Environment::new();
    let own = own.iter().map(|(name, value)| (name.into(), value.into()));
    base.of(ours).chain(own).collect()
}

/// The connection to a running program.
pub(crate) struct ChildTransport {
    io: CheckedTransport<ChildStdin>,
    child: Child,
    group: ProcessGroup,
    /// Raised when the output of the program has ended.
    ended: Arc<AtomicBool>,
    exit: Arc<OnceLock<ExitStatus>>,
}

impl ChildTransport {
    /// Raised when the output of the program has ended.
    pub(crate) fn ended(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.ended)
    }

    /// How the program exited, once its output has ended.
    pub(crate) fn exit(&self) -> Arc<OnceLock<ExitStatus>> {
        Arc::clone(&self.exit)
    }
}

impl Transport<RoleClient> for ChildTransport {
    type Error = Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<()>> + Send + 'static {
        self.io.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let message = tokio::select! {
            biased;
            message = self.io.receive() => message,
            // A child of the program may keep its output open for ever; what the program itself wrote is still read.
            _ = self.child.wait() => timeout(DRAIN, self.io.receive()).await.unwrap_or(None),
        };
        if message.is_none() {
            if let Ok(Ok(status)) = timeout(DRAIN, self.child.wait()).await {
                let _ = self.exit.set(status);
            }
            self.ended.store(true, Ordering::SeqCst);
        }
        message
    }

    /// Shuts it down as the protocol requires: closes its input, then sends SIGTERM, then SIGKILL.
    async fn close(&mut self) -> Result<()> {
        self.ended.store(true, Ordering::SeqCst);
        self.io.close().await?;
        if timeout(limits::END, self.child.wait()).await.is_err() {
            self.group.ask_to_end();
            if timeout(limits::END, self.child.wait()).await.is_err() {
                self.group.end();
                let _ = timeout(limits::END, self.child.wait()).await;
            }
        }
        // Children of the program end with it.
        self.group.end();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
