//! One step of a task: its name, how long it took, and how to repeat it when it fails.

mod limit;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::output;

pub(crate) use limit::status_within;

/// `cargo` with these arguments in the workspace root: the same cargo that started this task.
pub(crate) fn cargo(root: &Path, args: &[&str]) -> Command {
    let mut command = program(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), root);
    command.args(args);
    command
}

/// A program in a folder, without what cargo says of this task's own package.
pub(crate) fn program(program: impl AsRef<OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder);
    // Variables that cargo set for this task's own package are not for others: a dependency whose build script watches
    // these would be built again at each change between this cargo and one of a shell, with all that stands on it.
    for (name, _) in std::env::vars_os() {
        if is_of_the_package(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    command
}

/// Returns true if cargo sets the variable for a program that it runs, from the manifest of its package.
fn is_of_the_package(variable: &str) -> bool {
    ["CARGO_MANIFEST_", "CARGO_PKG_"].iter().any(|beginning| variable.starts_with(beginning))
}

/// Runs the command as a step. The error names the command so that it can be pasted into a shell.
pub(crate) fn run(name: &str, command: &mut Command) -> Result<()> {
    timed(name, || {
        let shown = shown(command);
        let status = command.status().with_context(|| format!("start `{shown}`"))?;
        judged(status, &shown)
    })
}

/// As [`run`], and ends the command with all that it started when it takes longer than the limit.
pub(crate) fn run_within(name: &str, command: &mut Command, limit: Duration) -> Result<()> {
    timed(name, || within(command, limit))
}

/// The same without lines about it.
pub(crate) fn within(command: &mut Command, limit: Duration) -> Result<()> {
    let shown = shown(command);
    let status = status_within(command, limit).with_context(|| format!("start `{shown}`"))?;
    match status {
        Some(status) => judged(status, &shown),
        None => bail!("`{shown}` was still running after {} s and was ended", limit.as_secs()),
    }
}

fn judged(status: ExitStatus, shown: &str) -> Result<()> {
    match status.code() {
        Some(0) => Ok(()),
        Some(code) => bail!("`{shown}` ended with exit code {code}"),
        None => bail!("`{shown}` was ended by a signal"),
    }
}

/// Runs the work as a step: a line before, a line with the time after, the time in the error as well.
pub(crate) fn timed(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    output::line(format_args!("== {name}"));
    let start = Instant::now();
    let done = work();
    let seconds = start.elapsed().as_secs_f64();
    match &done {
        Ok(()) => output::line(format_args!("== {name}: ok, {seconds:.1} s")),
        Err(_) => output::line(format_args!("== {name}: failed, {seconds:.1} s")),
    }
    done.with_context(|| format!("step `{name}` failed after {seconds:.1} s"))
}

/// The command as a reader would type it: variables first, but not that of a folder which is gone by then, and the program
/// without its folder.
fn shown(command: &Command) -> String {
    let mut words = Vec::new();
    for (key, value) in command.get_envs() {
        if let Some(value) = value
            && key != "TMPDIR"
        {
            words.push(format!("{}={}", key.to_string_lossy(), quoted(&value.to_string_lossy())));
        }
    }
    let program = Path::new(command.get_program());
    words.push(program.file_name().unwrap_or(command.get_program()).to_string_lossy().into_owned());
    words.extend(command.get_args().map(|arg| quoted(&arg.to_string_lossy())));
    words.join(" ")
}

/// In quotes when a shell would split it.
fn quoted(word: &str) -> String {
    if word.is_empty() || word.contains(' ') { format!("'{word}'") } else { word.to_owned() }
}

#[cfg(test)]
mod tests;
