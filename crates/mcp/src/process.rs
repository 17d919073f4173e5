//! A server that is a program: started in a process group of its own, and ended with it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use throughline_tools::ProcessGroup;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::bounds;

/// What every program may need, and nothing that is a key. What else a server needs, its configuration names.
const KEPT: [&str; 18] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TZ",
    "TMPDIR",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// How long the last output of a program that has ended may take to come.
const DRAIN: Duration = Duration::from_millis(250);

/// What is started.
#[derive(Debug, Clone)]
pub(crate) struct Program<'a> {
    pub(crate) command: &'a str,
    pub(crate) args: &'a [String],
    pub(crate) env: &'a BTreeMap<String, String>,
    pub(crate) folder: PathBuf,
}

impl Program<'_> {
    /// Starts it. The second part is what it writes to its error output.
    pub(crate) fn spawn(&self) -> Result<(ChildTransport, ChildStderr)> {
        let mut child = Command::new(self.command)
            .args(self.args)
            .env_clear()
            .envs(environment(std::env::vars_os(), self.env))
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let group = ProcessGroup::of(&child);
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(Error::other("the program has no input or output"));
        };
        let io = AsyncRwTransport::new_client(output, input).with_max_line_length(bounds::MESSAGE);
        Ok((ChildTransport { io, child, group, ended: Arc::default() }, errors))
    }
}

/// The folder that a program is started in.
pub(crate) fn folder(workspace: &Path, cwd: Option<&Path>) -> PathBuf {
    cwd.map_or_else(|| workspace.to_owned(), |cwd| workspace.join(cwd))
}

/// The variables for a server: the safe ones out of ours, and its own.
fn environment(
    ours: impl IntoIterator<Item = (OsString, OsString)>,
    own: &BTreeMap<String, String>,
) -> impl Iterator<Item = (OsString, OsString)> {
    let kept = |name: &OsStr| KEPT.iter().any(|kept| name == *kept);
    let base = ours.into_iter().filter(move |(name, _)| kept(name));
    base.chain(own.iter().map(|(name, value)| (name.into(), value.into())))
}

/// The connection to a program that runs.
pub(crate) struct ChildTransport {
    io: AsyncRwTransport<RoleClient, ChildStdout, ChildStdin>,
    child: Child,
    group: ProcessGroup,
    /// Raised when the program says nothing more.
    ended: Arc<AtomicBool>,
}

impl ChildTransport {
    /// Raised when the program says nothing more.
    pub(crate) fn ended(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.ended)
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
            // A process that it started may hold its output open for ever; what it said itself is still read.
            _ = self.child.wait() => timeout(DRAIN, self.io.receive()).await.unwrap_or(None),
        };
        if message.is_none() {
            self.ended.store(true, Ordering::SeqCst);
        }
        message
    }

    /// The end as the protocol wants it: no more input, then a request to end, then no more choice.
    async fn close(&mut self) -> Result<()> {
        self.ended.store(true, Ordering::SeqCst);
        self.io.close().await?;
        if timeout(bounds::END, self.child.wait()).await.is_err() {
            self.group.ask_to_end();
            if timeout(bounds::END, self.child.wait()).await.is_err() {
                self.group.end();
                let _ = timeout(bounds::END, self.child.wait()).await;
            }
        }
        // What the program started and left behind goes with it.
        self.group.end();
        Ok(())
    }
}

#[cfg(test)]
mod tests;
