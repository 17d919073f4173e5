//! The pipe by which the supervisor of a command learns that this process has ended.

use std::io::{PipeReader, PipeWriter, Result, Write as _, pipe};
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;

/// Asks the supervisor to send SIGTERM to the command.
pub(crate) const ASK_TO_END: [u8; 1] = *b"t";

/// Asks it to kill everything. So does the end of the pipe.
const END: [u8; 1] = *b"k";

/// A pipe that only this process has open for writing. The supervisor opens it by its path in this process: an inherited
/// descriptor would reach the command too.
#[derive(Debug)]
pub struct Lifeline {
    writer: PipeWriter,
    reader: PipeReader,
}

impl Lifeline {
    pub(crate) fn new() -> Result<Self> {
        let (reader, writer) = pipe()?;
        Ok(Self { writer, reader })
    }

    /// Names the pipe for the supervisor.
    pub(crate) fn name(&self) -> String {
        format!("{}:{}", std::process::id(), self.reader.as_raw_fd())
    }

    pub(crate) fn ask_to_end(&self) {
        // It fails if the supervisor has ended, which is the goal.
        let _ = (&self.writer).write_all(&ASK_TO_END);
    }

    pub(crate) fn end(&self) {
        let _ = (&self.writer).write_all(&END);
    }
}

/// The path of a pipe by its name.
pub(crate) fn pipe_of(name: &str) -> PathBuf {
    let (pid, descriptor) = name.split_once(':').unwrap_or((name, ""));
    PathBuf::from(format!("/proc/{pid}/fd/{descriptor}"))
}
