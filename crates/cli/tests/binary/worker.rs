//! A process that is in the middle of the demo's session.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::program::throughline;

/// The command line of a worker. In an empty folder its tools find nothing, and the session continues.
pub(crate) fn worker(data: &Path, project: &Path, session: &str, pace: u64) -> Command {
    let mut command = throughline(data);
    command
        .args(["demo", "--worker-session", session, "--pace", &pace.to_string(), "--workspace"])
        .arg(project);
    command.stdin(Stdio::null());
    command
}

/// A worker that runs until the test ends.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Running {
    #[track_caller]
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Reads until a record is acknowledged, and gives its number.
    #[track_caller]
    pub(crate) fn next_ack(&mut self) -> u64 {
        let mut line = String::new();
        while self.lines.read_line(&mut line).unwrap() > 0 {
            if let Some(seq) = line.trim_end().strip_prefix("@ack ") {
                return seq.parse().unwrap();
            }
            line.clear();
        }
        panic!("the worker has ended");
    }

    /// Kills it as `kill -9` does.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Also when a test fails: no process is left behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
