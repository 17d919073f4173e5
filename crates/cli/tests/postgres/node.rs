//! A machine of its own: a home folder with a data folder, whose sessions are on the server.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use throughline_conversation::{Record, RecordBody};

/// A machine.
pub(crate) struct Node {
    home: TempDir,
    url: String,
}

/// What a program said and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    /// What it printed; it succeeded.
    pub(crate) fn done(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.out
    }

    /// What it complained of; it failed with this code.
    pub(crate) fn failed(self, code: i32) -> String {
        assert_eq!(self.code, Some(code), "{self:?}");
        self.err
    }
}

impl Node {
    pub(crate) fn new(url: &str) -> Self {
        Self { home: TempDir::new().unwrap(), url: url.to_owned() }
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// A command without the server.
    pub(crate) fn bare(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        command.env_clear().env("PATH", path).env("HOME", self.home()).env("OLLAMA_HOST", "127.0.0.1:9");
        command.current_dir(self.home()).args(args).stdin(Stdio::null());
        command
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.bare(args);
        command.env("THROUGHLINE_STORAGE_DATABASE", &self.url);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(&self.command(args).output().unwrap())
    }

    pub(crate) fn run_bare(&self, args: &[&str]) -> Ran {
        Ran::of(&self.bare(args).output().unwrap())
    }

    /// Starts the scripted session of the demo, or continues it. Nodes share the folder that it works in.
    pub(crate) fn worker(&self, session: &str, project: &Path, pace: u64) -> Worker {
        let pace = pace.to_string();
        let args = ["demo", "--worker-session", session, "--pace", &pace, "--workspace"];
        let mut command = self.command(&args);
        command.arg(project).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Worker { child, lines, acked: 0 }
    }

    /// The records of a session, by `export`.
    pub(crate) fn records(&self, session: &str) -> Vec<Record> {
        let exported = self.run(&["export", session]).done();
        let records: Vec<Record> = exported.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        for (place, record) in (1..).zip(&records) {
            assert_eq!(record.seq.0, place, "no record is missing, and none is there twice");
        }
        records
    }
}

/// A process that works in a session.
pub(crate) struct Worker {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
    /// The newest record that it said was stored.
    pub(crate) acked: u64,
}

impl Worker {
    /// Reads what it says until this many records are stored. Returns false if it ended before.
    pub(crate) fn until_stored(&mut self, records: u64) -> bool {
        while self.acked < records {
            if !self.read_line() {
                return false;
            }
        }
        true
    }

    fn read_line(&mut self) -> bool {
        let mut line = String::new();
        // A line that a kill has cut off says nothing.
        if self.lines.read_line(&mut line).unwrap() == 0 || !line.ends_with('\n') {
            return false;
        }
        if let Some(stored) = line.trim().strip_prefix("@ack ") {
            self.acked = stored.parse().unwrap();
        }
        true
    }

    pub(crate) fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// Ends it as a crash does, and gives the newest record that it said was stored.
    pub(crate) fn kill(mut self) -> u64 {
        self.signal("-KILL");
        while self.read_line() {}
        self.child.wait().unwrap();
        self.acked
    }

    /// Waits for its end.
    pub(crate) fn wait(mut self) -> (Ran, u64) {
        let until = Instant::now() + Duration::from_secs(120);
        while self.read_line() {
            assert!(Instant::now() < until, "it hangs");
        }
        let output = self.child.wait_with_output().unwrap();
        (Ran::of(&output), self.acked)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

/// The messages of a session, with their speakers.
pub(crate) fn story(records: &[Record]) -> Vec<String> {
    let message = |record: &Record| match &record.body {
        RecordBody::Message(said) => Some(format!("{:?}: {:?}", said.source, said.message)),
        _ => None,
    };
    records.iter().filter_map(message).collect()
}
