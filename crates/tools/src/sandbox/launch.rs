//! Starts a program in the sandbox, or only in a new terminal session, through a launcher: a program that limits itself,
//! calls `setsid` and then executes the other program.
//!
//! Both must happen in the child, between fork and exec. In a process with threads only `unsafe` code can run there, so
//! the launcher is a separate program.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use super::{Sandbox, restrict_self};

/// Precedes each folder in which the program may write.
pub(super) const WRITABLE: &str = "--writable";

/// Precedes each folder in which it may not, although a folder above is writable.
pub(super) const PROTECTED: &str = "--protected";

/// Replaces the folders when the program may write everywhere.
const UNLIMITED: &str = "--unlimited";

/// The command that calls [`sandbox_exec`]: a program and its first arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    program: PathBuf,
    arguments: Vec<OsString>,
}

/// Reason why a program was not started in a sandbox.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The arguments do not have the form that [`sandbox_exec`] takes.
    #[error(
        "cannot start a program in the sandbox: {0}; the form is [--writable FOLDER]… -- PROGRAM [ARGUMENT]…, or \
         --unlimited instead of the folders"
    )]
    Usage(String),
    /// The system has no sandbox.
    #[error("cannot limit where commands write: {0}; turn the sandbox off to run commands without it")]
    Unavailable(String),
    /// The program cannot be started.
    #[error("cannot start {program:?}")]
    Start {
        /// The program.
        program: OsString,
        /// The error of the system.
        #[source]
        source: std::io::Error,
    },
}

impl Launcher {
    /// A program, and the arguments with which it calls [`sandbox_exec`].
    #[must_use]
    pub fn new(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Self {
        Self { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }

    /// The running program itself, with this argument as its hidden mode.
    ///
    /// # Errors
    /// When the path of the running program is unknown.
    pub fn this_program(mode: &str) -> std::io::Result<Self> {
        // On Linux this path is the running program even after its file was replaced.
        let program = match cfg!(target_os = "linux") {
            true => PathBuf::from("/proc/self/exe"),
            false => std::env::current_exe()?,
        };
        Ok(Self::new(program, [mode]))
    }

    /// Returns true if its program exists. A name without a path, to be found in `PATH`, counts as missing.
    pub(crate) fn exists(&self) -> bool {
        self.program.exists()
    }

    /// The command that starts `program`, in the sandbox if one is given: the launcher and its arguments.
    pub(crate) fn line(&self, sandbox: Option<&Sandbox>, program: &str) -> (PathBuf, Vec<OsString>) {
        let mut arguments = self.arguments.clone();
        arguments.extend(sandbox.map_or_else(|| vec![UNLIMITED.into()], Sandbox::arguments));
        arguments.extend(["--".into(), program.into()]);
        (self.program.clone(), arguments)
    }
}

/// Limits this process as the arguments say, `[--writable FOLDER]… -- PROGRAM [ARGUMENT]…`, and executes the program.
/// Returns only if that fails. `--unlimited` instead of the folders sets no limit.
///
/// The program runs in a new session without a terminal, so that it cannot ask for a password that the reader of its
/// output does not see.
#[must_use]
pub fn sandbox_exec(arguments: impl IntoIterator<Item = OsString>) -> SandboxError {
    let (sandbox, program, rest) = match parse(arguments) {
        Ok(parsed) => parsed,
        Err(why) => return SandboxError::Usage(why),
    };
    // It fails if this process already leads a group, which is then the group of the command.
    let _ = rustix::process::setsid();
    if let Some(Err(error)) = sandbox.as_ref().map(restrict_self) {
        return error;
    }
    let source = Command::new(&program).args(rest).exec();
    SandboxError::Start { program, source }
}

type Parsed = (Option<Sandbox>, OsString, Vec<OsString>);

fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Parsed, String> {
    let mut arguments = arguments.into_iter();
    let mut sandbox = Sandbox::default();
    let mut unlimited = false;
    loop {
        match arguments.next() {
            Some(word) if word == UNLIMITED => unlimited = true,
            Some(word) if word == WRITABLE => {
                sandbox = sandbox.with(value(WRITABLE, &mut arguments)?);
            }
            Some(word) if word == PROTECTED => {
                sandbox = sandbox.without(value(PROTECTED, &mut arguments)?);
            }
            Some(word) if word == "--" => break,
            Some(word) => return Err(format!("unknown argument {word:?}")),
            None => return Err("-- is missing".to_owned()),
        }
    }
    let Some(program) = arguments.next() else { return Err("no program follows --".to_owned()) };
    if unlimited && sandbox != Sandbox::default() {
        return Err(format!("{UNLIMITED} and {WRITABLE} exclude each other"));
    }
    Ok(((!unlimited).then_some(sandbox), program, arguments.collect()))
}

/// The value of an option.
fn value(option: &str, arguments: &mut impl Iterator<Item = OsString>) -> Result<OsString, String> {
    arguments.next().ok_or_else(|| format!("{option} names no folder"))
}

#[cfg(test)]
mod tests;
