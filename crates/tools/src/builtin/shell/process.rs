//! A command in its own process group.

use std::fmt::{Display, Formatter};
use std::io::{Error, Result, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::lifeline::Lifeline;
use crate::process_group::ProcessGroup;

/// Time to wait for the remaining output of a command that has ended.
const DRAIN: Duration = Duration::from_millis(250);

/// Time that a supervisor has to end what is left of a command.
const SWEEP: Duration = Duration::from_secs(5);

/// How a command ended.
#[derive(Debug)]
pub enum CommandEnding {
    /// It exited with this status.
    Exit(i32),
    /// It was ended by this signal.
    Signal(i32),
    /// It reached its time limit.
    TimedOut,
    /// It was ended after it had written this many bytes, more than the runner's limit.
    TooMuchOutput(u64),
    /// The user cancelled the turn.
    Cancelled,
    /// Its status could not be read.
    Unknown(Error),
}

impl Display for CommandEnding {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exit(status) => write!(out, "exit status {status}"),
            Self::Signal(signal) => write!(out, "ended by signal {signal}"),
            Self::TimedOut => out.write_str("its time was over"),
            Self::TooMuchOutput(bytes) => write!(out, "ended after {bytes} bytes of output"),
            Self::Cancelled => out.write_str("cancelled"),
            Self::Unknown(error) => write!(out, "its end is not known: {error}"),
        }
    }
}

/// A running command.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    output: Receiver,
    is_supervised: bool,
    bytes: u64,
    buffer: Vec<u8>,
}

impl Process {
    /// Starts a program. Standard output and standard error share one pipe, which preserves their order.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(
        mut command: Command,
        folder: &Path,
        lifeline: Option<Lifeline>,
    ) -> Result<(Self, ProcessGroup)> {
        let (reader, writer) = pipe()?;
        let is_supervised = lifeline.is_some();
        let child = command
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            // A supervisor ends by itself, after everything that it has to end.
            .kill_on_drop(!is_supervised)
            .spawn()?;
        let group = ProcessGroup::of(&child, lifeline);
        let output = Receiver::from_owned_fd(OwnedFd::from(reader))?;
        Ok((Self { child, output, is_supervised, bytes: 0, buffer: vec![0; 64 * 1024] }, group))
    }

    /// Passes output to `take` until the command has ended or has written more than `most` bytes.
    pub(super) async fn follow(&mut self, most: u64, mut take: impl FnMut(&[u8])) -> CommandEnding {
        let mut open = true;
        loop {
            tokio::select! {
                status = self.child.wait() => return status.map_or_else(CommandEnding::Unknown, ended),
                count = self.output.read(&mut self.buffer), if open => {
                    let count = count.unwrap_or(0);
                    open = count > 0;
                    self.bytes += count as u64;
                    take(self.buffer.get(..count).unwrap_or_default());
                    if self.bytes > most {
                        return CommandEnding::TooMuchOutput(self.bytes);
                    }
                }
            }
        }
    }

    /// Passes the remaining output to `take` after the group was ended, and reaps the process.
    pub(super) async fn settle(&mut self, mut take: impl FnMut(&[u8])) {
        // The pipe ends with its last writer; a process that left the group may keep it open for ever.
        let rest = async {
            while let Ok(count @ 1..) = self.output.read(&mut self.buffer).await {
                take(self.buffer.get(..count).unwrap_or_default());
            }
        };
        let _ = timeout(DRAIN, rest).await;
        if self.is_supervised && timeout(SWEEP, self.child.wait()).await.is_ok() {
            return;
        }
        // The child may not have created its group yet; then killing the group had no effect.
        let _ = self.child.start_kill();
        let _ = timeout(DRAIN, self.child.wait()).await;
    }
}

pub(super) fn ended(status: ExitStatus) -> CommandEnding {
    match (status.code(), status.signal()) {
        (Some(code), _) => CommandEnding::Exit(code),
        (None, Some(signal)) => CommandEnding::Signal(signal),
        (None, None) => CommandEnding::Unknown(Error::other("neither a status nor a signal was reported")),
    }
}
