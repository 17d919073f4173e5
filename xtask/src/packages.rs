//! Debian packages that a suite needs: looked for first, installed only where that is possible.

use std::process::Stdio;
use std::time::Duration;

use crate::quiet::{Run, succeeds};

/// How long a command may take; what fetches something waits for a network.
const LIMIT: Duration = Duration::from_secs(10 * 60);

/// A package, and the command that works once it is there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Package {
    /// Its name for `apt-get`.
    pub(crate) name: &'static str,
    /// Succeeds exactly when the package need not be installed.
    pub(crate) probe: &'static [&'static str],
}

/// Version control, for sessions that record branch and commit.
pub(crate) const GIT: Package = Package { name: "git", probe: &["git", "--version"] };

/// Compiles C, for what a library brings of it.
pub(crate) const CC: Package = Package { name: "gcc", probe: &["cc", "--version"] };

/// Tells where libraries are.
pub(crate) const PKG_CONFIG: Package = Package { name: "pkg-config", probe: &["pkg-config", "--version"] };

/// TLS for the SDK that brings no other.
pub(crate) const OPENSSL: Package =
    Package { name: "libssl-dev", probe: &["pkg-config", "--exists", "openssl"] };

/// A terminal that a test can type into and look at.
pub(crate) const TMUX: Package = Package { name: "tmux", probe: &["tmux", "-V"] };

/// A browser without a screen.
pub(crate) const CHROMIUM: Package = Package { name: "chromium", probe: &["chromium", "--version"] };

/// A database server. Debian has its programs in folders that no search path names.
pub(crate) const POSTGRESQL: Package = Package {
    name: "postgresql",
    probe: &["sh", "-c", "command -v initdb || ls /usr/lib/postgresql/*/bin/initdb"],
};

/// Runs JavaScript.
pub(crate) const NODE: Package = Package { name: "nodejs", probe: &["node", "--version"] };

/// Installs packages of JavaScript.
pub(crate) const NPM: Package = Package { name: "npm", probe: &["npm", "--version"] };

/// Makes environments for packages of Python, which Debian leaves out of Python itself.
pub(crate) const PYTHON_VENV: Package =
    Package { name: "python3-venv", probe: &["python3", "-c", "import ensurepip, venv"] };

/// Installs what is missing, and updates the package lists at most once for all suites.
#[derive(Debug, Default)]
pub(crate) struct Installer {
    updated: bool,
}

impl Installer {
    /// Makes sure of every package. The error is the reason for which a suite is skipped.
    pub(crate) fn ensure(&mut self, packages: &[Package]) -> Result<(), String> {
        // A probe's complaint is the answer, and no news.
        let mut run = |words: &[&str]| succeeds(words, Stdio::null(), LIMIT);
        packages.iter().try_for_each(|package| self.ensure_with(*package, &mut run))
    }

    /// The same for one package, with the commands run by the caller.
    fn ensure_with(&mut self, package: Package, run: Run<'_>) -> Result<(), String> {
        let Package { name, probe } = package;
        if run(probe) {
            return Ok(());
        }
        let missing = format!("package `{name}` is missing");
        if !run(&["sh", "-c", "test \"$(id -u)\" = 0"]) {
            return Err(format!("{missing}; only root can `apt-get install {name}`"));
        }
        if !self.updated && !run(&["apt-get", "update"]) {
            return Err(format!("{missing}; `apt-get update` failed"));
        }
        self.updated = true;
        if !run(&["apt-get", "install", "-y", name]) {
            return Err(format!("{missing}; `apt-get install -y {name}` failed"));
        }
        if run(probe) { Ok(()) } else { Err(format!("`{}` fails with `{name}` installed", probe.join(" "))) }
    }
}

#[cfg(test)]
mod tests;
