//! A git that can start no program but itself.
//!
//! The settings of a repository name programs, and a command of the model may write them at any time: between two looks of this
//! program at them, and while git reads them. So the kernel refuses git every program that is not git, by Landlock
//! (<https://docs.kernel.org/userspace-api/landlock.html>), which also limits what commands write: where it is missing no
//! command is limited either.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Output;

use tokio::process::{Child, Command};

/// Starts git so that it starts no other program, where the system can see to that.
///
/// # Errors
/// Git cannot be started.
pub(crate) fn spawn_alone(mut command: Command) -> io::Result<Child> {
    let git = PathBuf::from(command.as_std().get_program());
    let runtime = tokio::runtime::Handle::current();
    alone(&git, || {
        let _entered = runtime.enter();
        command.spawn()
    })
}

/// Runs such a git to its end.
///
/// # Errors
/// Git cannot be started.
pub(crate) fn output_alone(mut command: std::process::Command) -> io::Result<Output> {
    let git = PathBuf::from(command.get_program());
    alone(&git, || command.output())
}

#[cfg(all(target_os = "linux", feature = "sandbox"))]
fn alone<T: Send>(git: &Path, start: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
    match linux::programs_of(git)? {
        Some(programs) => linux::alone(&programs, start),
        None => start(),
    }
}

#[cfg(not(all(target_os = "linux", feature = "sandbox")))]
fn alone<T>(_git: &Path, start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    start()
}

#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod linux;
