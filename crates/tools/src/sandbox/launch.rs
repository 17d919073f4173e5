//! Starting a program within the sandbox, or only without our terminal: a program is started that limits itself, begins a
//! session of its own and then becomes the other one.
//!
//! Both have to be done in the child alone, between its start and the command's. What may run there in the child of a
//! process with threads is unsafe to write; a program of its own is not.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;

use super::{Sandbox, restrict_self};

/// Goes before each folder in which the program may write.
pub(super) const WRITABLE: &str = "--writable";

/// Stands in the place of all folders when the program may write everywhere.
const UNLIMITED: &str = "--unlimited";

/// How a program is started that calls [`sandbox_exec`]: the program and its first arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launcher {
    program: PathBuf,
    arguments: Vec<OsString>,
}

/// Why a program was not started within a sandbox.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The arguments are not those of [`sandbox_exec`].
    #[error(
        "cannot start a program in the sandbox: {0}; the form is [--writable FOLDER]… -- PROGRAM [ARGUMENT]…, or \
         --unlimited in the place of the folders"
    )]
    Usage(String),
    /// The system cannot limit anything.
    #[error("cannot limit where commands write: {0}; turn the sandbox off to run them without")]
    Unavailable(String),
    /// The program cannot be started.
    #[error("cannot start {program:?}")]
    Start {
        /// The program.
        program: OsString,
        /// Why.
        #[source]
        source: std::io::Error,
    },
}

impl Launcher {
    /// A program, and the arguments that bring it to [`sandbox_exec`].
    #[must_use]
    pub fn new(
        program: impl Into<PathBuf>,
        arguments: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Self {
        Self { program: program.into(), arguments: arguments.into_iter().map(Into::into).collect() }
    }

    /// The program that runs now, in this hidden mode.
    ///
    /// # Errors
    /// When the system does not say which program that is.
    pub fn this_program(mode: &str) -> std::io::Result<Self> {
        // On Linux this name means the running program also when its file was replaced since.
        let program = match cfg!(target_os = "linux") {
            true => PathBuf::from("/proc/self/exe"),
            false => std::env::current_exe()?,
        };
        Ok(Self::new(program, [mode]))
    }

    /// Whether its program is there. One that is looked for in the `PATH` is taken for one that is not.
    pub(crate) fn is_there(&self) -> bool {
        self.program.exists()
    }

    /// The whole line that starts a program, in the sandbox if there is one: first the program to start.
    pub(crate) fn line(&self, sandbox: Option<&Sandbox>, program: &str) -> (PathBuf, Vec<OsString>) {
        let mut arguments = self.arguments.clone();
        arguments.extend(sandbox.map_or_else(|| vec![UNLIMITED.into()], Sandbox::arguments));
        arguments.extend(["--".into(), program.into()]);
        (self.program.clone(), arguments)
    }
}

/// Limits this process as the arguments say, `[--writable FOLDER]… -- PROGRAM [ARGUMENT]…`, and becomes the program.
/// With `--unlimited` in the place of the folders it is not limited. Returns only when that fails. It begins a session of
/// its own: without a terminal, nothing can ask for a password behind the back of who reads the output.
#[must_use]
pub fn sandbox_exec(arguments: impl IntoIterator<Item = OsString>) -> SandboxError {
    let (sandbox, program, rest) = match parse(arguments) {
        Ok(parsed) => parsed,
        Err(why) => return SandboxError::Usage(why),
    };
    // It fails when this process leads a group already, which then stays the group of the command.
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
                let Some(folder) = arguments.next() else {
                    return Err(format!("{WRITABLE} names no folder"));
                };
                sandbox = sandbox.with(folder);
            }
            Some(word) if word == "--" => break,
            Some(word) => return Err(format!("{word:?} is not known")),
            None => return Err("there is no --".to_owned()),
        }
    }
    let Some(program) = arguments.next() else { return Err("there is no program behind --".to_owned()) };
    if unlimited && sandbox != Sandbox::default() {
        return Err(format!("{UNLIMITED} stands beside {WRITABLE}"));
    }
    Ok(((!unlimited).then_some(sandbox), program, arguments.collect()))
}

#[cfg(test)]
mod tests;
