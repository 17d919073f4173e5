//! The users as whom the attacks run.

use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// The user id and the group id of the unprivileged user.
const UNPRIVILEGED: u32 = 65_534;

/// The user who runs the binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum User {
    /// The user who runs the tests.
    Own,
    /// A user without any right, which only root can become.
    Unprivileged,
}

/// Runs an attack as each user. Prints which user is skipped, and why.
pub(crate) fn as_each_user(attack: impl Fn(User)) {
    attack(User::Own);
    if !rustix::process::getuid().is_root() {
        println!("skipped: root: the tests run as another user");
    } else if unprivileged().is_none() {
        println!("skipped: unprivileged user: `setpriv` is missing or fails");
    } else {
        attack(User::Unprivileged);
    }
}

impl User {
    /// The binary as this user, in an environment of its own, started by the program that `wrapper` names, if there is one.
    pub(crate) fn binary(self, home: &Path, wrapper: &[String]) -> Command {
        let mut words = wrapper.to_vec();
        match self {
            Self::Own => words.push(env!("CARGO_BIN_EXE_throughline").to_owned()),
            Self::Unprivileged => {
                words.push("setpriv".to_owned());
                words.extend(SETPRIV.iter().map(|&word| word.to_owned()));
                words.push(unprivileged().unwrap().program.to_str().unwrap().to_owned());
            }
        }
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", home)
            // No server listens there: a test must not meet the Ollama of its machine.
            .env("OLLAMA_HOST", "127.0.0.1:9");
        command
    }

    /// Another program as this user.
    pub(crate) fn program(self, name: &str) -> Command {
        match self {
            Self::Own => Command::new(name),
            Self::Unprivileged => {
                let mut command = Command::new("setpriv");
                command.args(SETPRIV).arg(name);
                command
            }
        }
    }

    /// Gives a file to this user.
    pub(crate) fn own_file(self, path: &Path) {
        if self == Self::Unprivileged {
            chown(path, Some(UNPRIVILEGED), Some(UNPRIVILEGED)).unwrap();
        }
    }

    /// Gives a folder and everything in it to this user.
    pub(crate) fn own(self, folder: &Path) {
        if self == Self::Own {
            return;
        }
        chown(folder, Some(UNPRIVILEGED), Some(UNPRIVILEGED)).unwrap();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.symlink_metadata().unwrap() {
                metadata if metadata.is_dir() => self.own(&path),
                metadata if metadata.is_symlink() => {}
                _ => chown(&path, Some(UNPRIVILEGED), Some(UNPRIVILEGED)).unwrap(),
            }
        }
    }
}

const SETPRIV: [&str; 5] = ["--reuid", "65534", "--regid", "65534", "--clear-groups"];

/// A copy of the binary that every user may run.
struct PublicCopy {
    _folder: TempDir,
    program: PathBuf,
}

/// `None` if it cannot run as the unprivileged user.
fn unprivileged() -> Option<&'static PublicCopy> {
    static COPY: OnceLock<Option<PublicCopy>> = OnceLock::new();
    let copy = COPY.get_or_init(|| {
        let folder = TempDir::new().ok()?;
        let all = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(), all.clone()).ok()?;
        let program = folder.path().join("throughline");
        std::fs::copy(env!("CARGO_BIN_EXE_throughline"), &program).ok()?;
        std::fs::set_permissions(&program, all).ok()?;
        let started = Command::new("setpriv").args(SETPRIV).arg(&program).arg("--version").output();
        started.is_ok_and(|output| output.status.success()).then_some(PublicCopy { _folder: folder, program })
    });
    copy.as_ref()
}
