//! Runs a program to its end as if it stood alone: its exit code is ours, and signals reach it.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::Context as _;
use rustix::process::{Pid, Signal, kill_process};
use tokio::signal::unix::{SignalKind, signal};

/// Runs it. The keys of the terminal send their signals to both; this program waits, because it has to clean up.
pub(super) async fn run(command: Command) -> anyhow::Result<ExitCode> {
    let catch = |kind| signal(kind).context("signals cannot be caught");
    let (mut interrupt, mut quit) = (catch(SignalKind::interrupt())?, catch(SignalKind::quit())?);
    let (mut terminate, mut hangup) = (catch(SignalKind::terminate())?, catch(SignalKind::hangup())?);
    let mut child = tokio::process::Command::from(command).spawn()?;
    loop {
        let passed_on = tokio::select! {
            status = child.wait() => return Ok(exit_code(status?)),
            _ = interrupt.recv() => continue,
            _ = quit.recv() => continue,
            _ = terminate.recv() => Signal::TERM,
            _ = hangup.recv() => Signal::HUP,
        };
        let pid = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        // One that has just ended needs no signal.
        let _ = pid.map(|pid| kill_process(pid, passed_on));
    }
}

/// The exit code of a program, as a shell gives it: 128 and the signal for one that a signal ended.
pub(super) fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(1);
    ExitCode::from(u8::try_from(code & 0xff).unwrap_or(1))
}
