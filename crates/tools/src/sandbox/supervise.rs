//! The supervisor of a command: a process between throughline and the command that ends with both.
//!
//! Processes that leave the command's group, by `setsid` or by forking twice, become children of the supervisor, which kills
//! them when the command has ended. A pipe tells it that throughline has ended, however that happened: then it kills
//! everything at once.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::PathBuf;
use std::process::Command;
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitOptions, WaitStatus, getpid, kill_process, kill_process_group,
    set_child_subreaper, setrlimit, setsid, wait,
};

use super::held_names::HeldNames;
use crate::lifeline::{ASK_TO_END, pipe_of};

/// The wait between two looks for processes that are still there.
const PAUSE: Duration = Duration::from_millis(5);

/// Longest wait for killed processes: one that waits for a device may take its time.
const LONGEST: Duration = Duration::from_secs(5);

/// Runs a program and ends with it, and with everything that it started. Meanwhile names in these git folders are held. Returns
/// only if the program cannot be started.
pub(super) fn supervise(
    lifeline: &str,
    repositories: &[PathBuf],
    program: &OsString,
    arguments: &[OsString],
) -> io::Error {
    let held = HeldNames::of(repositories);
    let started = || {
        let lifeline = File::open(pipe_of(lifeline))?;
        // It fails if this process already leads a group.
        let _ = setsid();
        set_child_subreaper(Some(getpid()))?;
        let child = Command::new(program).args(arguments).spawn()?;
        let main = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok((lifeline, main.ok_or(ErrorKind::InvalidData)?))
    };
    match started() {
        Ok((lifeline, main)) => {
            spawn(move || obey(lifeline, main));
            let status = reap(main);
            end_descendants();
            drop(held);
            exit_as(status)
        }
        Err(error) => error,
    }
}

/// Does what throughline writes into the pipe; its end ends all.
fn obey(mut lifeline: File, main: Pid) {
    let mut byte = [0];
    loop {
        match lifeline.read(&mut byte) {
            Ok(1) if byte == ASK_TO_END => {
                let _ = kill_process_group(main, Signal::TERM);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => break,
        }
    }
    // A process that forks meanwhile is found the next time. The other thread ends this.
    loop {
        kill_descendants();
        sleep(PAUSE);
    }
}

/// Waits for the program, and reaps the processes that it left to this one.
fn reap(main: Pid) -> Option<WaitStatus> {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == main => return Some(status),
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// Kills and reaps every descendant of this process.
fn end_descendants() {
    let started = Instant::now();
    while started.elapsed() < LONGEST {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) | Err(Errno::INTR) => {}
            Ok(None) => {
                kill_descendants();
                sleep(PAUSE);
            }
            // There are no children left.
            Err(_) => return,
        }
    }
}

fn kill_descendants() {
    let own = getpid().as_raw_nonzero().get();
    let all: Vec<(i32, i32)> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
            Some((pid, parent(&fs::read_to_string(entry.path().join("stat")).ok()?)?))
        })
        .collect();
    let mut found = BTreeSet::from([own]);
    loop {
        let more: Vec<i32> = all
            .iter()
            .filter(|(pid, parent)| found.contains(parent) && !found.contains(pid))
            .map(|(pid, _)| *pid)
            .collect();
        if more.is_empty() {
            break;
        }
        found.extend(more);
    }
    for pid in found.into_iter().filter(|pid| *pid != own).filter_map(Pid::from_raw) {
        let _ = kill_process(pid, Signal::KILL);
    }
}

/// The parent in the text of `/proc/PID/stat`: the second field after the name, which may hold any character.
fn parent(stat: &str) -> Option<i32> {
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Ends this process as the program ended.
fn exit_as(status: Option<WaitStatus>) -> ! {
    let code = status.and_then(WaitStatus::exit_status);
    let signal = status.and_then(WaitStatus::terminating_signal);
    if let Some(signal) = signal.and_then(Signal::from_named_raw) {
        let none = Rlimit { current: Some(0), maximum: Some(0) };
        let _ = setrlimit(Resource::Core, none);
        let _ = kill_process(getpid(), signal);
    }
    std::process::exit(code.or(signal.map(|signal| 128 + signal)).unwrap_or(1))
}
