//! A command in a process group of its own.

use std::io::{Error, Result, pipe};
use std::os::fd::OwnedFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::capture::Capture;
use crate::ToolContext;

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
    /// The turn was stopped.
    Cancelled,
    /// The system does not say.
    Unknown(Error),
}

/// Runs a command line in the context's folder, in a process group of its own that is ended with it, and gives what it
/// wrote and how it ended. The command does not get the `hidden` environment variables, and it has no input.
///
/// Of what it writes, at most the first and the last 8 MiB are kept.
///
/// # Errors
/// When it cannot be started.
pub async fn run_command(
    command: &str,
    hidden: &[String],
    context: &ToolContext,
    limit: Duration,
) -> Result<(Vec<u8>, CommandEnding)> {
    let (mut child, mut output) = spawn(command, hidden, &context.workspace)?;
    let group = Group::of(&child);
    let mut capture = Capture::default();
    let ending = tokio::select! {
        ending = wait(&mut child, &mut output, &mut capture) => ending,
        () = tokio::time::sleep(limit) => CommandEnding::TimedOut,
        () = context.cancel.cancelled() => CommandEnding::Cancelled,
    };
    drop(group);
    // The pipe ends when the last writer has gone; a process that left the group may hold it for ever.
    let _ = timeout(DRAIN, async { while read(&mut output, &mut capture).await {} }).await;
    let _ = timeout(DRAIN, child.wait()).await;
    Ok((capture.finish(), ending))
}

/// Both outputs go to one pipe, so they come in the order in which they were written.
fn spawn(line: &str, hidden: &[String], folder: &Path) -> Result<(Child, Receiver)> {
    let (reader, writer) = pipe()?;
    let shell = if Path::new("/bin/bash").exists() { "/bin/bash" } else { "/bin/sh" };
    let mut command = Command::new(shell);
    for name in hidden {
        command.env_remove(name);
    }
    let child = command
        .arg("-c")
        .arg(line)
        .current_dir(folder)
        // Nobody can answer a pager or a question about a password.
        .env("PAGER", "cat")
        .env("GIT_PAGER", "cat")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .stdout(writer.try_clone()?)
        .stderr(writer)
        .process_group(0)
        .kill_on_drop(true)
        .spawn()?;
    Ok((child, Receiver::from_owned_fd(OwnedFd::from(reader))?))
}

/// Takes output until the command has ended.
async fn wait(child: &mut Child, output: &mut Receiver, capture: &mut Capture) -> CommandEnding {
    let mut open = true;
    loop {
        tokio::select! {
            status = child.wait() => return status.map_or_else(CommandEnding::Unknown, ended),
            more = read(output, capture), if open => open = more,
        }
    }
}

/// Takes what is there. `false`: there will be no more.
async fn read(output: &mut Receiver, capture: &mut Capture) -> bool {
    let mut buffer = vec![0; 64 * 1024];
    match output.read(&mut buffer).await {
        Ok(0) | Err(_) => false,
        Ok(count) => {
            capture.push(buffer.get(..count).unwrap_or_default());
            true
        }
    }
}

fn ended(status: ExitStatus) -> CommandEnding {
    match (status.code(), status.signal()) {
        (Some(code), _) => CommandEnding::Exit(code),
        (None, Some(signal)) => CommandEnding::Signal(signal),
        (None, None) => CommandEnding::Unknown(Error::other("neither a status nor a signal was reported")),
    }
}

/// Ends every process of the group when it is dropped: then also a cancelled call leaves none behind.
#[derive(Debug)]
struct Group(Option<Pid>);

impl Group {
    /// The child leads a group that has the child's own number.
    fn of(child: &Child) -> Self {
        let number = child.id().and_then(|id| i32::try_from(id).ok());
        Self(number.and_then(Pid::from_raw))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // It fails when the group is empty already, which is what is wanted.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
