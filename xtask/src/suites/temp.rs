//! The folder for temporary files of one suite.

use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that is removed with this value, and with it what killed programs, browsers and terminals have left there.
#[derive(Debug)]
pub(super) struct SuiteTemp(PathBuf);

impl SuiteTemp {
    /// Makes the folder. Its name is short: sockets with long paths cannot be made. The error says which folder and why.
    pub(super) fn create(suite: &str) -> Result<Self, String> {
        Self::create_in(&std::env::temp_dir(), suite)
    }

    fn create_in(parent: &Path, suite: &str) -> Result<Self, String> {
        let folder = parent.join(format!("tl-{suite}-{}", std::process::id()));
        // As the system's folder: suites that start programs as another user need it.
        let made = DirBuilder::new()
            .mode(0o700)
            .create(&folder)
            .and_then(|()| fs::set_permissions(&folder, Permissions::from_mode(0o1777)));
        made.map_err(|error| format!("could not make the folder `{}`: {error}", folder.display()))?;
        Ok(Self(folder))
    }

    /// Makes it the folder for temporary files of a command and of all that it starts.
    pub(super) fn pass_to(&self, command: &mut Command) {
        command.env("TMPDIR", &self.0);
    }
}

impl Drop for SuiteTemp {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests;
