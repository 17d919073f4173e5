//! Where commands may write: a limit that a process sets itself and that all of its children keep.

#[cfg(target_os = "linux")]
mod landlock;
mod launch;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

pub use self::launch::{Launcher, SandboxError, sandbox_exec};

/// The folders in which commands may write. They may read everything.
///
/// A folder is opened to a command only under its real path. Links are followed once, when a [`CommandRunner`] takes the
/// sandbox: a command that makes a link of a folder's name must not open another one to the next command.
///
/// Nothing is limited by the value itself: a process limits itself with [`restrict_self`], for which
/// [`sandbox_exec`] is made, and cannot take it back. Devices that programs write to without harm (`/dev/null`,
/// terminals, shared memory) are always open. What changes no content is not limited: rights and times of files, the
/// network, signals to other processes, and what a service does that is asked through its socket.
///
/// [`CommandRunner`]: crate::CommandRunner
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sandbox {
    writable: Vec<PathBuf>,
}

/// How far this system can keep a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxStatus {
    /// Every kind of writing is limited.
    Enforced,
    /// Some kinds are not; the text says which.
    Partly(String),
    /// Nothing is; the text says why.
    Unavailable(String),
}

impl Sandbox {
    /// Writing in these folders alone. One that does not exist when a command starts is not open to it.
    #[must_use]
    pub fn new(writable: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { writable: writable.into_iter().map(Into::into).collect() }
    }

    /// Writing in the workspace and in the folders for temporary files.
    #[must_use]
    pub fn of_workspace(workspace: &Path) -> Self {
        let mut sandbox = Self::new([workspace.to_owned(), std::env::temp_dir()]);
        for folder in ["/tmp", "/var/tmp"] {
            sandbox = sandbox.with(folder);
        }
        sandbox
    }

    /// The same with one more folder.
    #[must_use]
    pub fn with(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        if !self.writable.contains(&folder) {
            self.writable.push(folder);
        }
        self
    }

    /// The same with the links in its folders followed, as far as they are there.
    #[must_use]
    pub fn resolved(self) -> Self {
        self.writable.into_iter().map(|folder| real(&folder)).fold(Self::default(), Self::with)
    }

    /// The folders.
    #[must_use]
    pub fn writable(&self) -> &[PathBuf] {
        &self.writable
    }

    /// The folders as arguments of [`sandbox_exec`].
    #[must_use]
    pub fn arguments(&self) -> Vec<OsString> {
        let pair = |folder: &PathBuf| [OsString::from(launch::WRITABLE), folder.into()];
        self.writable.iter().flat_map(pair).collect()
    }

    /// What this system can do. Nothing is limited by asking.
    #[must_use]
    pub fn status() -> SandboxStatus {
        #[cfg(target_os = "linux")]
        return landlock::status();
        #[cfg(not(target_os = "linux"))]
        return SandboxStatus::Unavailable("this system is not Linux".to_owned());
    }
}

/// Limits this process, and everything that it starts from now on, to the sandbox. There is no way back.
///
/// # Errors
/// When the system cannot do that; then nothing is limited.
pub fn restrict_self(sandbox: &Sandbox) -> Result<SandboxStatus, SandboxError> {
    #[cfg(target_os = "linux")]
    return landlock::restrict(sandbox);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = sandbox;
        Err(SandboxError::Unavailable("this system is not Linux".to_owned()))
    }
}

/// The path with links followed; its last parts need not exist.
fn real(folder: &Path) -> PathBuf {
    let (mut there, mut missing) = (folder, Vec::new());
    loop {
        if let Ok(real) = there.canonicalize() {
            return missing.iter().rev().fold(real, |path: PathBuf, name| path.join(name));
        }
        let (Some(name), Some(parent)) = (there.file_name(), there.parent()) else {
            return folder.to_owned();
        };
        missing.push(name);
        there = parent;
    }
}

impl fmt::Display for SandboxStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Enforced => f.write_str("commands can write only where they may"),
            Self::Partly(what) => write!(f, "commands are limited in part: {what}"),
            Self::Unavailable(why) => write!(f, "commands are not limited: {why}"),
        }
    }
}
