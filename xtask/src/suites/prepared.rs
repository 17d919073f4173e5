//! A suite with all that it needs, ready to run.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::suite::{Extra, Suite, SuiteTarget};
use super::temp::SuiteTemp;
use super::{SEED, outcome, say};
use crate::bundles::Bundle;
use crate::packages::Installer;
use crate::tally::{Outcome, Tally};
use crate::traces::{self, OptionalInput, Traces};
use crate::{output, steps, tree};

/// A suite and the command that runs it.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) suite: &'static Suite,
    command: Command,
    /// Where its output is written instead of to that of this task.
    output: Option<PathBuf>,
    /// Removed with this value.
    _temp: SuiteTemp,
}

impl Prepared {
    /// Installs and fetches what the suite needs. Peers and parts that cannot be had are counted; without what the whole suite needs
    /// it returns how that counts.
    pub(super) fn new(
        root: &Path,
        suite: &'static Suite,
        installer: &mut Installer,
        tally: &mut Tally,
    ) -> Result<Self, Outcome> {
        let skipped = |reason| Outcome::Skipped { reason, allowed_because: None };
        installer.ensure(suite.packages).map_err(skipped)?;
        let mut command = steps::cargo(root, &suite.cargo_args());
        let temp = SuiteTemp::create(suite.name).map_err(Outcome::Failed)?;
        temp.pass_to(&mut command);
        for bundle in suite.bundles {
            command.env(bundle.variable, bundle_of(root, bundle).map_err(skipped)?);
        }
        let mut missing = 0;
        for peer in suite.peers {
            match bundle_of(root, peer) {
                Ok(entry) => _ = command.env(peer.variable, entry),
                Err(reason) => {
                    missing += 1;
                    say(&tally.record(&format!("{}: {}", suite.name, peer.name), skipped(reason)));
                }
            }
        }
        if missing > 0 && missing == suite.peers.len() {
            return Err(skipped("all that it is about is missing".to_owned()));
        }
        for extra in suite.extras {
            match extra_of(root, extra, installer) {
                Ok((variable, path)) => _ = command.env(variable, path),
                Err((part, outcome)) => say(&tally.record(&format!("{}: {part}", suite.name), outcome)),
            }
        }
        if let Some(variable) = suite.seed
            && std::env::var_os(variable).is_none()
        {
            command.env(variable, SEED);
        }
        if let Some(input) = suite.optional_input {
            match traces::locate(input, root) {
                Traces::Found(folder) => _ = command.env(input.variable(), folder),
                Traces::Absent { reason, asked_for } => {
                    return Err(without_recordings(input, reason, asked_for));
                }
            }
        }
        Ok(Self { suite, command, output: None, _temp: temp })
    }

    /// The test target, if the suite is one that [`super::executables::build`] has built.
    pub(super) fn test_target(&self) -> Option<&'static str> {
        match self.suite.target {
            SuiteTarget::Binary(test) => Some(test),
            SuiteTarget::Release(_) | SuiteTarget::Library { .. } => None,
        }
    }

    /// Runs this executable instead of cargo, which would wait for every other cargo that builds.
    pub(super) fn use_executable(&mut self, executable: &Path, package: &Path) {
        let mut command = Command::new(executable);
        command.arg("--nocapture").current_dir(package);
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.env("CARGO_MANIFEST_DIR", package);
        self.command = command;
    }

    /// Writes the output of the suite to this file.
    ///
    /// # Errors
    /// The file cannot be made.
    pub(super) fn write_to(&mut self, file: PathBuf) -> io::Result<()> {
        let out = File::create(&file)?;
        self.command.stdin(Stdio::null()).stderr(out.try_clone()?).stdout(out);
        self.output = Some(file);
        Ok(())
    }

    /// Prints the output that was written to a file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn print_output(&self) -> io::Result<()> {
        let Some(file) = &self.output else { return Ok(()) };
        io::copy(&mut File::open(file)?, &mut io::stdout()).map(|_| ())
    }

    /// Prints what the suite is about.
    pub(super) fn announce(&self) {
        output::line(format_args!("-- {}: {}", self.suite.name, self.suite.about));
    }

    /// Runs it to its end, or to its limit.
    pub(super) fn run(&mut self) -> Outcome {
        outcome(steps::run_within(self.suite.name, &mut self.command, self.suite.limit()))
    }
}

/// The variable and the path of an extra; of one that is absent what it is and how that counts.
fn extra_of(
    root: &Path,
    extra: &Extra,
    installer: &mut Installer,
) -> Result<(&'static str, PathBuf), (&'static str, Outcome)> {
    match extra {
        Extra::Fetched(packages, bundle) => {
            let path = installer.ensure(packages).and_then(|()| bundle_of(root, bundle));
            let path = path.map_err(|reason| Outcome::Skipped { reason, allowed_because: None });
            path.map(|path| (bundle.variable, path)).map_err(|outcome| (bundle.name, outcome))
        }
        Extra::Input(input) => match traces::locate(*input, root) {
            Traces::Found(folder) => Ok((input.variable(), folder)),
            Traces::Absent { reason, asked_for } => {
                Err((input.content(), without_recordings(*input, reason, asked_for)))
            }
        },
    }
}

/// The path that a bundle has for a suite, installed below cargo's own folder.
fn bundle_of(root: &Path, bundle: &Bundle) -> Result<PathBuf, String> {
    let folder = tree::target(root).map_err(|error| format!("{error:#}"))?.join("suites");
    bundle.ensure(&folder).map_err(|reason| format!("no `{}`: {reason}", bundle.name))
}

/// A clean clone has no recordings and must still be green; a variable that names them must be right.
pub(super) fn without_recordings(input: OptionalInput, reason: String, asked_for: bool) -> Outcome {
    let allowed_because = (!asked_for).then(|| input.why_optional());
    Outcome::Skipped { reason, allowed_because }
}
