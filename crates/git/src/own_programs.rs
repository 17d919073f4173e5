//! A git that can start no program but itself.
//!
//! The settings of a repository name programs, and a command of the model may write them at any time: between two looks of this
//! program at them, and while git reads them. So the kernel refuses git every program that is not git, by Landlock
//! (<https://docs.kernel.org/userspace-api/landlock.html>), which also limits what commands write: where it is missing no
//! command is limited either.

use std::io;

use tokio::process::{Child, Command};

/// Starts git so that it starts no other program, where the system can see to that.
///
/// # Errors
/// Git cannot be started.
#[cfg(all(target_os = "linux", feature = "sandbox"))]
pub(crate) fn spawn_alone(mut command: Command) -> io::Result<Child> {
    let Some(programs) = linux::programs_of(command.as_std().get_program().as_ref())? else {
        return command.spawn();
    };
    let runtime = tokio::runtime::Handle::current();
    linux::alone(&programs, || {
        let _entered = runtime.enter();
        command.spawn()
    })
}

/// Starts git.
///
/// # Errors
/// Git cannot be started.
#[cfg(not(all(target_os = "linux", feature = "sandbox")))]
pub(crate) fn spawn_alone(mut command: Command) -> io::Result<Child> {
    command.spawn()
}

#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod linux;
