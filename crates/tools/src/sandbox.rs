//! Limits what commands may write and reach: limits that a process sets itself and that all of its children inherit.

mod arguments;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod capabilities;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod conditions;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod confine;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod covers;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod devices;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod held_names;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod hide;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod landlock;
mod launch;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod other_limits;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod places;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod read_only;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod repositories;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod settings_of_git;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod supervise;
#[cfg(all(target_os = "linux", feature = "sandbox"))]
mod syscalls;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

pub use self::launch::{Launcher, SandboxError, sandbox_exec};
use crate::target::real_path;

/// The variable by which a command sees that unix sockets are refused.
const SOCKETS_REFUSED: &str = "THROUGHLINE_UNIX_SOCKETS_REFUSED";

/// The variable by which a command sees that it may write the files of the project that run later, use terminals and shared memory of
/// other programs, and read hidden files.
const FILES_UNPROTECTED: &str = "THROUGHLINE_FILES_UNPROTECTED";

/// Why there is no sandbox.
#[cfg(not(all(target_os = "linux", feature = "sandbox")))]
const NONE: &str = if cfg!(target_os = "linux") {
    "this program was built without the feature `sandbox`"
} else {
    "this system is not Linux"
};

/// What commands may write and reach. They may read everything that is not hidden.
///
/// Symbolic links are resolved once, when a [`CommandRunner`] takes the sandbox: a command that replaces a folder by a link
/// must not make the link's target writable for the next command.
///
/// The value itself limits nothing: [`sandbox_exec`] limits its own process, irrevocably. Devices that programs write to
/// without harm are always writable: `/dev/null`, and terminals and shared memory, which are its own where the system gives it
/// mounts of its own. Not limited are permissions and times of files, and the network unless [`Self::no_network`] is set.
///
/// [`CommandRunner`]: crate::CommandRunner
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sandbox {
    writable: Vec<PathBuf>,
    projects: Vec<PathBuf>,
    protected: Vec<PathBuf>,
    hidden: Vec<PathBuf>,
    fixed: Vec<PathBuf>,
    repositories: Vec<PathBuf>,
    temp: Option<PathBuf>,
    no_network: bool,
    unix_sockets: bool,
    processes: Option<u64>,
    memory: Option<u64>,
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

    /// Adds a folder.
    #[must_use]
    pub fn with(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        if !self.writable.contains(&folder) {
            self.writable.push(folder);
        }
        self
    }

    /// Adds a folder in which the files that run later stay unchanged (see [`runs_later`](crate::runs_later)), as far as
    /// they exist and are not writable folders or files themselves. Only where the system gives a process mounts of its own.
    #[must_use]
    pub fn project(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        if !self.projects.contains(&folder) {
            self.projects.push(folder.clone());
        }
        self.with(folder)
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

    /// Makes a file or folder in a writable folder read-only, if it exists when the command starts, and keeps its place: the
    /// folders that lead to it cannot be renamed. Only where the system gives a process mounts of its own.
    #[must_use]
    pub fn fixing(mut self, place: impl Into<PathBuf>) -> Self {
        let place = place.into();
        if !self.fixed.contains(&place) {
            self.fixed.push(place);
        }
        self
    }

    /// Adds a git folder that is writable where its settings and hooks can be protected, which takes mounts of its own: that
    /// of a repository whose linked worktree is the project.
    #[must_use]
    pub fn repository(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        if !self.repositories.contains(&folder) {
            self.repositories.push(folder);
        }
        self
    }

    /// Hides a file or a folder: it is empty for the command, if it exists when the command starts. A folder that holds a
    /// writable one is not hidden. Only where the system gives a process
    /// mounts of its own.
    #[must_use]
    pub fn hiding(mut self, file: impl Into<PathBuf>) -> Self {
        let file = file.into();
        if !self.hidden.contains(&file) {
            self.hidden.push(file);
        }
        self
    }

    /// Sets the folder for temporary files, which replaces the shared ones.
    #[must_use]
    pub(crate) fn temp(self, folder: impl Into<PathBuf>) -> Self {
        Self { temp: Some(folder.into()), ..self }
    }

    /// Refuses all connections, also to this machine.
    #[must_use]
    pub fn no_network(self) -> Self {
        Self { no_network: true, ..self }
    }

    /// Allows connections to all unix sockets, such as those of Docker, of D-Bus and of an SSH agent. By these a command can
    /// start programs outside the sandbox.
    #[must_use]
    pub fn unix_sockets(self) -> Self {
        Self { unix_sockets: true, ..self }
    }

    /// Limits how many processes and threads are added to those that run when a command starts. No limit for `root`.
    #[must_use]
    pub fn processes(self, most: u64) -> Self {
        Self { processes: Some(most), ..self }
    }

    /// Limits the bytes that one process may allocate.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Self {
        Self { memory: Some(bytes), ..self }
    }

    /// Resolves the symbolic links in its folders, as far as they exist.
    #[must_use]
    pub(crate) fn resolved(self) -> Self {
        let resolve = |folders: Vec<PathBuf>| folders.iter().map(|folder| resolve_links(folder)).collect();
        Self {
            writable: resolve(self.writable),
            projects: resolve(self.projects),
            protected: resolve(self.protected),
            hidden: resolve(self.hidden),
            fixed: resolve(self.fixed),
            repositories: resolve(self.repositories),
            ..self
        }
    }

    /// The writable folders.
    #[must_use]
    pub fn writable(&self) -> Vec<&Path> {
        self.writable.iter().chain(&self.temp).map(PathBuf::as_path).collect()
    }

    /// Returns true if commands may write a place, unless it is protected.
    #[cfg(all(target_os = "linux", feature = "sandbox"))]
    fn may_write(&self, place: &Path) -> bool {
        self.writable.iter().chain(&self.repositories).any(|folder| place.starts_with(folder))
    }

    /// Tests what this system can enforce. Limits nothing.
    #[must_use]
    pub fn status() -> SandboxStatus {
        #[cfg(all(target_os = "linux", feature = "sandbox"))]
        return landlock::status();
        #[cfg(not(all(target_os = "linux", feature = "sandbox")))]
        return SandboxStatus::Unavailable(NONE.to_owned());
    }

    /// What the result of [`Self::losses`] depends on, as a text: the sandbox, the launcher, the kernel, and what it allows this
    /// process. It does not have the sockets of other programs, which come and go. `None`: the system does not say.
    #[must_use]
    pub fn conditions(&self, launcher: &Launcher) -> Option<String> {
        #[cfg(all(target_os = "linux", feature = "sandbox"))]
        return Some(format!("{self:?}\n{}", conditions::conditions(Path::new("/proc"), launcher)?));
        #[cfg(not(all(target_os = "linux", feature = "sandbox")))]
        {
            let _ = launcher;
            None
        }
    }

    /// What this system lets the sandbox not do, for the user: hide the sockets of other programs, so that commands can use
    /// none, and protect the files of the project that run later. Starts the launcher to see. `None`: it does not say;
    /// each command then fails with the reason.
    pub async fn losses(&self, launcher: &Launcher) -> Option<Vec<&'static str>> {
        let mut command = launcher.check(self);
        let said = command.kill_on_drop(true).stdin(Stdio::null()).stderr(Stdio::null()).output().await;
        let said = said.ok().filter(|output| output.status.success())?;
        let said = String::from_utf8_lossy(&said.stdout);
        let sockets = "commands cannot use unix sockets, not even their own: this system lets the sandbox hide those of \
                       other programs in no way (it needs Landlock 9, or a mount namespace); `unix_sockets = true` in \
                       [tools] allows all";
        let files = "commands can write the files of this project that run later, such as .git/hooks and .throughline/, use \
                     your other terminals and shared memory, and read the data folder of throughline with the access tokens of \
                     its servers: \
                     preventing that takes a mount namespace, which this system does not allow or not wholly";
        let lost = [(SOCKETS_REFUSED, sockets), (FILES_UNPROTECTED, files)];
        let lost = lost.into_iter().filter(|(name, _)| said.lines().any(|line| line == *name));
        Some(lost.map(|(_, text)| text).collect())
    }

    /// What this system cannot limit although writing is limited, for the user.
    #[must_use]
    pub fn gap() -> Option<&'static str> {
        #[cfg(all(target_os = "linux", feature = "sandbox"))]
        return landlock::gap();
        #[cfg(not(all(target_os = "linux", feature = "sandbox")))]
        return None;
    }
}

/// Limits this process, and everything that it starts from now on, to the sandbox, irrevocably. Returns the environment
/// variables to set.
///
/// # Errors
/// When the system cannot do that; then a part may be limited.
fn restrict_self(sandbox: &Sandbox) -> Result<Vec<(&'static str, OsString)>, SandboxError> {
    #[cfg(all(target_os = "linux", feature = "sandbox"))]
    return confine::confine(sandbox);
    #[cfg(not(all(target_os = "linux", feature = "sandbox")))]
    {
        let _ = sandbox;
        Err(SandboxError::Unavailable(NONE.to_owned()))
    }
}

/// Resolves the symbolic links of an absolute path; its last components need not exist. A link that leads nowhere stays.
#[must_use]
pub fn resolve_links(folder: &Path) -> PathBuf {
    match (real_path(folder), folder.parent(), folder.file_name()) {
        (Ok(real), _, _) => real,
        (Err(_), Some(parent), Some(name)) => resolve_links(parent).join(name),
        (Err(_), _, _) => folder.to_owned(),
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
