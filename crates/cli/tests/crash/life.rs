//! One process of a session, from its start to its kill or its end.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use tempfile::TempDir;

use crate::program::throughline;
use crate::project::Template;

/// The session's name.
pub(crate) const SESSION: &str = "crash";

/// No run takes as long as this.
const HANGS: Duration = Duration::from_secs(60);

/// A session's data folder and project.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) folder: TempDir,
}

impl World {
    pub(crate) fn new(template: &Template) -> anyhow::Result<Self> {
        let world = Self { folder: TempDir::new()? };
        template.copy_to(&world.project())?;
        Ok(world)
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }
}

/// When to kill.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Moment {
    /// So long after the start.
    Time(Duration),
    /// So long after control line number so and so, from 1.
    Control(usize, Duration),
    /// Never: it runs to its end.
    Never,
}

/// What became of a process.
#[derive(Debug, Default)]
pub(crate) struct Life {
    /// The last record that it said was durable.
    pub(crate) acked: u64,
    /// It was killed. `false`: it came to its end first, and said that all was well.
    pub(crate) killed: bool,
    /// The last control line is the start of a tool call.
    pub(crate) in_a_call: bool,
    /// Control lines that it printed.
    pub(crate) controls: usize,
}

impl Life {
    /// Starts the worker and kills it at a moment.
    pub(crate) fn run(world: &World, pace: u64, moment: Moment) -> anyhow::Result<Self> {
        let complaints = world.folder.path().join("stderr");
        let mut command = throughline(&world.data());
        command.args(["demo", "--worker-session", SESSION, "--pace", &pace.to_string(), "--workspace"]);
        command.arg(world.project()).stdin(Stdio::null()).stdout(Stdio::piped());
        command.stderr(File::create(&complaints)?);
        let mut child = command.spawn().context("could not start the worker")?;
        let output = child.stdout.take().context("the worker has no output")?;
        let lines = read_lines(output);
        let mut life = Self::default();
        let watched = life.watch(&mut child, &lines, moment);
        if watched.is_err() {
            child.kill()?;
        }
        let status = child.wait()?;
        watched?;
        // What it printed before it died counts.
        for line in lines {
            life.note(&line)?;
        }
        let complaints = read(&complaints)?;
        life.killed = status.signal() == Some(9);
        ensure!(life.killed || status.success(), "the worker ended with {status}: {complaints}");
        ensure!(complaints.is_empty(), "the worker complained: {complaints}");
        Ok(life)
    }

    fn watch(&mut self, child: &mut Child, lines: &Receiver<String>, moment: Moment) -> anyhow::Result<()> {
        let start = Instant::now();
        let mut end = match moment {
            Moment::Time(time) => Some(start + time),
            Moment::Control(..) | Moment::Never => None,
        };
        loop {
            let limit = end.unwrap_or(start + HANGS);
            match lines.recv_timeout(limit.saturating_duration_since(Instant::now())) {
                Ok(line) => self.note(&line)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {
                    ensure!(end.is_some(), "the worker hangs after control line {}", self.controls);
                    return child.kill().context("could not kill the worker");
                }
            }
            if let Moment::Control(number, then) = moment
                && end.is_none()
                && self.controls >= number
            {
                end = Some(Instant::now() + then);
            }
        }
    }

    fn note(&mut self, line: &str) -> anyhow::Result<()> {
        let Some(control) = line.strip_prefix('@') else { return Ok(()) };
        self.controls += 1;
        self.in_a_call = control.starts_with("tool ");
        if let Some(seq) = control.strip_prefix("ack ") {
            let seq: u64 = seq.parse().with_context(|| format!("no number in {line:?}"))?;
            ensure!(seq > self.acked, "record {seq} was acknowledged after record {}", self.acked);
            self.acked = seq;
        }
        Ok(())
    }
}

/// Reads whole lines in a thread: a line that the kill cut off says nothing.
fn read_lines(output: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut line = String::new();
        while output.read_line(&mut line).is_ok() && line.ends_with('\n') {
            if sender.send(line.trim_end().to_owned()).is_err() {
                return;
            }
            line.clear();
        }
    });
    receiver
}

fn read(path: &Path) -> anyhow::Result<String> {
    Ok(fs::read_to_string(path)?.trim().to_owned())
}
