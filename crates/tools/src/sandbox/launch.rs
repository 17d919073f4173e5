//! Starts a program through a launcher: a program that supervises it, and another one between the two that limits itself,
//! calls `setsid` and then executes the program.
//!
//! Both must happen in the child, between fork and exec. In a process with threads only `unsafe` code can run there, so
//! the launcher is a separate program.

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::os::unix::process::CommandExt;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
use std::path::Path;
use std::path::PathBuf;

use tokio::process::Command;

use super::arguments::{CHECK, Launch, Task, arguments, parse};
use super::{Sandbox, restrict_self};
use crate::lifeline::Lifeline;

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
    #[error("cannot start a program in the sandbox: {0}; the form is [OPTION]… -- PROGRAM [ARGUMENT]…")]
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

    /// The program.
    #[cfg(all(target_os = "linux", feature = "sandbox"))]
    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// Returns true if its program exists. A name without a path, to be found in `PATH`, counts as missing.
    pub(crate) fn exists(&self) -> bool {
        self.program.exists()
    }

    /// The command that starts `program` without limits, to which arguments are added. On Linux it ends with everything that
    /// it started when the lifeline is dropped, also by the end of this process.
    ///
    /// # Errors
    /// When no pipe can be made.
    pub fn supervised(&self, program: impl AsRef<OsStr>) -> std::io::Result<(Command, Option<Lifeline>)> {
        self.command(None, program.as_ref())
    }

    /// The same in the sandbox, if one is given.
    pub(crate) fn command(
        &self,
        sandbox: Option<&Sandbox>,
        program: &OsStr,
    ) -> std::io::Result<(Command, Option<Lifeline>)> {
        let lifeline =
            if cfg!(all(target_os = "linux", feature = "sandbox")) { Some(Lifeline::new()?) } else { None };
        let mut command = Command::new(&self.program);
        command.args(&self.arguments);
        if let Some(lifeline) = &lifeline {
            command.args([super::arguments::SUPERVISE, &lifeline.name()]);
            #[cfg(all(target_os = "linux", feature = "sandbox"))]
            for folder in sandbox.into_iter().flat_map(super::repositories::repositories) {
                command.arg(super::arguments::HOLD).arg(folder);
            }
            command.arg("--");
            command.arg(&self.program).args(&self.arguments);
        }
        command.args(arguments(sandbox)).arg("--").arg(program);
        Ok((command, lifeline))
    }

    /// The command that limits itself to the sandbox and prints the variables by which a program in it sees what is not
    /// enforced, a line each.
    pub(crate) fn check(&self, sandbox: &Sandbox) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).args(arguments(Some(sandbox))).arg(CHECK);
        command
    }
}

/// Supervises or limits a program as the arguments say, which [`CommandRunner`](crate::CommandRunner) and
/// [`Launcher::supervised`] write: `[OPTION]… -- PROGRAM [ARGUMENT]…`. Returns only if the program cannot be started.
///
/// The program gets no file but its input, output and error output. It runs in a new session without a terminal, so that it cannot ask for a password that the reader of its
/// output does not see.
#[must_use]
pub fn sandbox_exec(arguments: impl IntoIterator<Item = OsString>) -> SandboxError {
    let (task, program, rest) = match parse(arguments) {
        Ok(Launch::Run(task, program, rest)) => (task, program, rest),
        Ok(Launch::Check(sandbox)) => return check_self(&sandbox),
        Err(why) => return SandboxError::Usage(why),
    };
    let sandbox = match task {
        #[cfg(all(target_os = "linux", feature = "sandbox"))]
        Task::Supervise(lifeline, held) => {
            let source = super::supervise::supervise(&lifeline, &held, &program, &rest);
            return SandboxError::Start { program, source };
        }
        #[cfg(not(all(target_os = "linux", feature = "sandbox")))]
        Task::Supervise(..) => return SandboxError::Usage("this system has no supervisor".to_owned()),
        Task::Confine(sandbox) => sandbox,
    };
    // An open file is not limited by what the sandbox says of its path.
    close_fds::set_fds_cloexec(3, &[]);
    // It fails if this process already leads a group, which is then the group of the command.
    let _ = rustix::process::setsid();
    let variables = match sandbox.as_ref().map_or_else(|| Ok(Vec::new()), restrict_self) {
        Ok(variables) => variables,
        Err(error) => return error,
    };
    #[cfg(all(target_os = "linux", feature = "sandbox"))]
    super::confine::end_with_parent();
    let source = std::process::Command::new(&program).args(rest).envs(variables).exec();
    SandboxError::Start { program, source }
}

/// Limits this process to the sandbox and prints the variables of what is not enforced. Returns only if it cannot limit itself.
fn check_self(sandbox: &Sandbox) -> SandboxError {
    let variables = match restrict_self(sandbox) {
        Ok(variables) => variables,
        Err(error) => return error,
    };
    let names: String = variables.iter().map(|(name, _)| format!("{name}\n")).collect();
    // A reader that has left needs no answer.
    let _ = std::io::stdout().write_all(names.as_bytes());
    std::process::exit(0)
}
