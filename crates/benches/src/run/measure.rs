//! The cost of one process with all its children.
//!
//! Each program is started by a fresh copy of this bench that does nothing else. When the program has ended, the
//! system's own account of the copy's children (`getrusage`) says, to the microsecond, how much CPU time the program
//! and every process below it took, and how large the largest of them ever was. Meanwhile the copy looks at the tree
//! every millisecond: resident sizes of all its processes at one moment, added up.
//!
//! What it misses: a process without a waiting parent is not in the account, so it is reported as left behind; a peak of
//! the sum that is over within a millisecond; and pages that processes share count once for each in the sum, apart
//! from a child that has not yet begun its own program (that rule errs now and then, so medians count). The
//! largest process is exact, but never smaller than the copy itself, about 4 MiB, because the account begins before
//! the program replaces it. The work of the server is in neither.

#[path = "measure/tree.rs"]
mod tree;

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use serde::{Deserialize, Serialize};

/// Tells the bench that it is the copy.
pub(crate) const ARGUMENT: &str = "--measure";
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(1);

/// What one process cost with all its children.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// User and system time.
    pub(crate) cpu_seconds: f64,
    pub(crate) wall_seconds: f64,
    /// Resident bytes of the largest process at its peak.
    pub(crate) largest: u64,
    /// Resident bytes of all processes at the moment when they were most.
    pub(crate) sum: u64,
    /// Processes seen, the program among them.
    pub(crate) processes: u64,
    /// Processes that were there when the program had ended.
    pub(crate) left_behind: u64,
    /// Exit code of the program; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
}

/// Has a copy of this program run the command with its folder and environment. What the command prints goes into the
/// files.
pub(crate) fn measure(command: &Command, out: &Path, err: &Path) -> anyhow::Result<Figures> {
    let me = std::env::current_exe().context("this program does not know its own file")?;
    let mut copy = Command::new(me);
    copy.arg(ARGUMENT).args([out, err]).arg(command.get_program()).args(command.get_args());
    copy.env_clear().stdin(Stdio::null()).stderr(Stdio::inherit());
    for (name, value) in command.get_envs() {
        copy.env(name, value.unwrap_or(OsStr::new("")));
    }
    if let Some(folder) = command.get_current_dir() {
        copy.current_dir(folder);
    }
    let said = copy.output().context("could not start the copy that measures")?;
    ensure!(said.status.success(), "the copy that measures failed");
    serde_json::from_slice(&said.stdout).context("the copy that measures said something else")
}

/// The copy's part: `OUT ERR PROGRAM ARGUMENTS…`.
pub(crate) fn child(mut arguments: impl Iterator<Item = String>) -> anyhow::Result<ExitCode> {
    let mut next = || arguments.next().with_context(|| format!("{ARGUMENT} needs files and a program"));
    let (out, err, program) = (File::create(next()?)?, File::create(next()?)?, next()?);
    let begun = Instant::now();
    let mut child = Command::new(&program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(out)
        .stderr(err)
        .spawn()
        .with_context(|| format!("could not start {program}"))?;
    let mut tree = tree::Tree::of(child.id());
    let status = loop {
        tree.look();
        if let Some(status) = child.try_wait()? {
            break status;
        }
        std::thread::sleep(PAUSE);
    };
    let wall = begun.elapsed();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).context("could not read the account of the children")?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    let largest = u64::try_from(usage.max_rss()).unwrap_or_default() * 1024;
    let figures = Figures {
        cpu_seconds: seconds(usage.user_time()) + seconds(usage.system_time()),
        wall_seconds: wall.as_secs_f64(),
        largest: largest.max(tree.largest()),
        sum: tree.sum().max(largest),
        processes: tree.seen(),
        left_behind: tree.alive(),
        code: status.code(),
    };
    println!("{}", serde_json::to_string(&figures)?);
    Ok(ExitCode::SUCCESS)
}
