//! A command with an input, whose output and errors come apart.

use std::io::Result;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::ChildStdin;
use tokio::time::timeout;

use super::process::{CommandEnding, ended};
use super::runner::CommandRunner;
use crate::process_group::ProcessGroup;
use crate::tool::ToolContext;

/// Bytes of each stream that are held in memory; the rest is read and discarded.
const MAX_BYTES: usize = 1024 * 1024;

/// Time to wait for the rest of the output of a command that was ended.
const DRAIN: Duration = Duration::from_millis(250);

/// Time that a supervisor has to end what is left of a command.
const SWEEP: Duration = Duration::from_secs(5);

/// What a command wrote, at most 1 MiB of each stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PipedOutput {
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
}

impl CommandRunner {
    /// Runs a command line in the context's folder with this input and these variables. Its whole process group ends with it.
    ///
    /// # Errors
    /// When the command cannot be started.
    pub async fn run_piped(
        &self,
        command: &str,
        context: &ToolContext,
        limit: Duration,
        input: &str,
        variables: &[(&str, String)],
    ) -> Result<(PipedOutput, CommandEnding)> {
        let (mut process, lifeline) = self.shell(command)?;
        let is_supervised = lifeline.is_some();
        process
            .current_dir(&context.workspace)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        process.envs(variables.iter().map(|(name, value)| (name, value))).kill_on_drop(!is_supervised);
        let mut child = process.spawn()?;
        let group = ProcessGroup::of(&child, lifeline);
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut written = PipedOutput::default();
        let ending = {
            let streams = async {
                tokio::join!(
                    give(stdin, input),
                    collect(stdout, &mut written.stdout),
                    collect(stderr, &mut written.stderr)
                );
            };
            let time = tokio::time::sleep(limit);
            tokio::pin!(streams, time);
            let mut open = true;
            let ending = loop {
                tokio::select! {
                    // The streams may stay open behind a command that has ended, in a process that left its group.
                    status = child.wait() => break status.map_or_else(CommandEnding::Unknown, ended),
                    () = &mut streams, if open => open = false,
                    () = &mut time => break CommandEnding::TimedOut,
                    () = context.cancel.cancelled() => break CommandEnding::Cancelled,
                }
            };
            drop(group);
            if open {
                let _ = timeout(DRAIN, streams).await;
            }
            ending
        };
        if !(is_supervised && timeout(SWEEP, child.wait()).await.is_ok()) {
            let _ = child.start_kill();
            let _ = timeout(DRAIN, child.wait()).await;
        }
        Ok((written, ending))
    }
}

/// Writes the input and closes it. A command that does not read it closes the pipe, which is its right.
async fn give(stream: Option<ChildStdin>, input: &str) {
    if let Some(mut stream) = stream {
        let _ = stream.write_all(input.as_bytes()).await;
    }
}

/// Reads a stream to its end, and keeps its first bytes.
async fn collect(stream: Option<impl AsyncRead + Unpin>, written: &mut Vec<u8>) {
    let Some(mut stream) = stream else { return };
    let mut part = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = stream.read(&mut part).await {
        let room = MAX_BYTES.saturating_sub(written.len());
        written.extend(part.get(..count.min(room)).unwrap_or_default());
    }
}
