//! A command in a process group of its own.

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

use crate::ProcessGroup;

/// How long the last output of an ended command may take to come.
const DRAIN: Duration = Duration::from_millis(250);

/// How a command ended.
#[derive(Debug)]
pub enum CommandEnding {
    /// By itself, with this status.
    Exit(i32),
    /// By a signal from elsewhere.
    Signal(i32),
    /// Its time was over.
    TimedOut,
    /// It had written that many bytes, and would not have stopped.
    TooMuchOutput(u64),
    /// The turn was stopped.
    Cancelled,
    /// The system does not say.
    Unknown(Error),
}

/// A command that was started.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    output: Receiver,
    bytes: u64,
    buffer: Vec<u8>,
}

impl Process {
    /// Starts a program. Both outputs go to one pipe, so they come in the order in which they were written.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(
        mut command: Command,
        folder: &Path,
        own_group: bool,
    ) -> Result<(Self, ProcessGroup)> {
        let (reader, writer) = pipe()?;
        if own_group {
            command.process_group(0);
        }
        let child = command
            .current_dir(folder)
            // Nobody can answer a pager or a question about a password.
            .env("PAGER", "cat")
            .env("GIT_PAGER", "cat")
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .kill_on_drop(true)
            .spawn()?;
        let group = ProcessGroup::of(&child);
        let output = Receiver::from_owned_fd(OwnedFd::from(reader))?;
        Ok((Self { child, output, bytes: 0, buffer: vec![0; 64 * 1024] }, group))
    }

    /// Gives output to `take` until the command has ended, or has written more than `most` bytes.
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

    /// Gives the rest of the output to `take`, once the group was ended, and lets the system forget the process.
    pub(super) async fn settle(&mut self, mut take: impl FnMut(&[u8])) {
        // The pipe ends when the last writer has gone; a process that left the group may hold it for ever.
        let rest = async {
            while let Ok(count @ 1..) = self.output.read(&mut self.buffer).await {
                take(self.buffer.get(..count).unwrap_or_default());
            }
        };
        let _ = timeout(DRAIN, rest).await;
        // A group that the child has not made yet cannot be ended, but the child can.
        let _ = self.child.start_kill();
        let _ = timeout(DRAIN, self.child.wait()).await;
    }
}

fn ended(status: ExitStatus) -> CommandEnding {
    match (status.code(), status.signal()) {
        (Some(code), _) => CommandEnding::Exit(code),
        (None, Some(signal)) => CommandEnding::Signal(signal),
        (None, None) => CommandEnding::Unknown(Error::other("neither a status nor a signal was reported")),
    }
}
