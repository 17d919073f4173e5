//! Folders that go when the test ends.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A folder of its own.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A repository without commits, on branch `main`.
    pub(crate) fn repository() -> Self {
        let folder = Self::empty();
        folder.git(&["init", "--quiet", "--initial-branch=main"]);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, with the folders above it.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn remove(&self, name: &str) {
        std::fs::remove_file(self.path().join(name)).unwrap();
    }

    /// Commits everything; gives the commit.
    pub(crate) fn commit(&self) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "all"]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// Runs git here, with no settings but these.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        command.args(["-c", "user.name=Tester", "-c", "user.email=tester@example.org"]);
        let output = command.args(arguments).current_dir(self.path()).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}
