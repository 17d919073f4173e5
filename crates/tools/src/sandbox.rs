//! Limits where commands may write: a limit that a process sets itself and that all of its children inherit.

#[cfg(target_os = "linux")]
mod capabilities;
#[cfg(target_os = "linux")]
mod landlock;
mod launch;
#[cfg(target_os = "linux")]
mod places;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

pub use self::launch::{Launcher, SandboxError, sandbox_exec};

/// The folders in which commands may write. They may read everything.
///
/// Symbolic links are resolved once, when a [`CommandRunner`] takes the sandbox: a command that replaces a folder by a link
/// must not make the link's target writable for the next command.
///
/// The value itself limits nothing: [`sandbox_exec`] limits its own process, irrevocably. Devices that programs write to
/// without harm (`/dev/null`, terminals, shared memory) are always writable. Not limited are permissions and times of
/// files, the network, signals to other processes, and what a service does on request through its socket.
///
/// [`CommandRunner`]: crate::CommandRunner
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sandbox {
    writable: Vec<PathBuf>,
    protected: Vec<PathBuf>,
}

/// How far this system can enforce a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SandboxStatus {
    /// All writing is limited.
    Enforced,
    /// Some kinds of writing are not limited; the text says which.
    Partly(String),
    /// Nothing is limited; the text says why.
    Unavailable(String),
}

impl Sandbox {
    /// Allows writing in these folders only. A folder that does not exist when a command starts is ignored.
    #[must_use]
    pub fn new(writable: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        Self { writable: writable.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Allows writing in the workspace and in the folders for temporary files.
    #[must_use]
    pub fn of_workspace(workspace: &Path) -> Self {
        let mut sandbox = Self::new([workspace.to_owned(), std::env::temp_dir()]);
        for folder in ["/tmp", "/var/tmp"] {
            sandbox = sandbox.with(folder);
        }
        sandbox
    }

    /// Adds a folder.
    #[must_use]
    pub fn with(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        if !self.writable.contains(&folder) {
            self.writable.push(folder);
        }
        self
    }

    /// Protects a folder that lies in a writable one. Nothing can be created in the folders that lead to it either, or a
    /// command could put another one in its place.
    #[must_use]
    pub fn without(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        if !self.protected.contains(&folder) {
            self.protected.push(folder);
        }
        self
    }

    /// Resolves the symbolic links in its folders, as far as they exist.
    #[must_use]
    pub(crate) fn resolved(self) -> Self {
        let sandbox =
            self.writable.into_iter().map(|folder| resolve_links(&folder)).fold(Self::default(), Self::with);
        self.protected.into_iter().map(|folder| resolve_links(&folder)).fold(sandbox, Self::without)
    }

    /// The writable folders.
    #[must_use]
    pub fn writable(&self) -> &[PathBuf] {
        &self.writable
    }

    /// The folders as arguments of [`sandbox_exec`].
    #[must_use]
    pub(crate) fn arguments(&self) -> Vec<OsString> {
        let pair = |option: &'static str| move |folder: &PathBuf| [OsString::from(option), folder.into()];
        let writable = self.writable.iter().flat_map(pair(launch::WRITABLE));
        writable.chain(self.protected.iter().flat_map(pair(launch::PROTECTED))).collect()
    }

    /// Tests what this system can enforce. Limits nothing.
    #[must_use]
    pub fn status() -> SandboxStatus {
        #[cfg(target_os = "linux")]
        return landlock::status();
        #[cfg(not(target_os = "linux"))]
        return SandboxStatus::Unavailable("this system is not Linux".to_owned());
    }
}

/// Limits this process, and everything that it starts from now on, to the sandbox, irrevocably.
///
/// # Errors
/// When the system cannot do that; then nothing is limited.
fn restrict_self(sandbox: &Sandbox) -> Result<SandboxStatus, SandboxError> {
    #[cfg(target_os = "linux")]
    {
        let failed = |error| SandboxError::Unavailable(format!("privileges cannot be dropped ({error})"));
        capabilities::drop_capabilities().map_err(failed)?;
        landlock::restrict(sandbox)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = sandbox;
        Err(SandboxError::Unavailable("this system is not Linux".to_owned()))
    }
}

/// Resolves the symbolic links of a path; its last components need not exist.
fn resolve_links(folder: &Path) -> PathBuf {
    let (mut existing, mut missing) = (folder, Vec::new());
    loop {
        if let Ok(real) = existing.canonicalize() {
            return missing.iter().rev().fold(real, |path: PathBuf, name| path.join(name));
        }
        let (Some(name), Some(parent)) = (existing.file_name(), existing.parent()) else {
            return folder.to_owned();
        };
        missing.push(name);
        existing = parent;
    }
}

impl fmt::Display for SandboxStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Enforced => f.write_str("commands can write in the allowed folders only"),
            Self::Partly(what) => write!(f, "commands are partly limited: {what}"),
            Self::Unavailable(why) => write!(f, "commands are not limited: {why}"),
        }
    }
}
