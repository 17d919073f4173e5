//! The test run: unit, contract and law tests first, then the integration suites of the table.

mod programs;
mod suite;
mod table;
mod temp;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::bundles::Bundle;
use crate::packages::Installer;
use crate::tally::{Outcome, Tally};
use crate::traces::{self, OptionalInput, Traces};
use crate::{output, steps, tree};
use suite::{Extra, Suite};
use table::SUITES;
use temp::SuiteTemp;

/// The names of all suites, in the order in which they run.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    SUITES.iter().map(|suite| suite.name)
}

/// Which suites run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice<'n> {
    /// All but those that run only by name.
    Usual,
    /// All of them.
    All,
    /// This one.
    Named(&'n str),
}

impl Choice<'_> {
    fn has(self, suite: &Suite) -> bool {
        match self {
            Self::Usual => !suite.by_name_only,
            Self::All => true,
            Self::Named(name) => suite.name == name,
        }
    }
}

/// Everything. Returns whether nothing failed; every line about it has been printed, the closing one last.
pub(crate) fn test(root: &Path, choice: Choice<'_>) -> bool {
    let mut tally = new_tally();
    say(&tally.record("workspace", workspace_tests(root)));
    run_all(root, choice, &mut tally);
    close(&tally)
}

/// The suites alone.
pub(crate) fn integration(root: &Path, choice: Choice<'_>) -> bool {
    let mut tally = new_tally();
    run_all(root, choice, &mut tally);
    close(&tally)
}

/// Returns true if `CI=true` is set, which forbids what a developer's machine may leave out.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}

fn new_tally() -> Tally {
    Tally::new(in_ci())
}

fn run_all(root: &Path, choice: Choice<'_>, tally: &mut Tally) {
    let mut installer = Installer::default();
    for suite in SUITES.iter().filter(|suite| choice.has(suite)) {
        output::line(format_args!("-- {}: {}", suite.name, suite.about));
        let outcome = run_one(root, suite, &mut installer, tally);
        say(&tally.record(suite.name, outcome));
    }
}

/// The law tests and the suites draw what is by chance from this seed, so that a run says the same of the same tree wherever and whenever
/// it is made. `cargo xtask soak` draws others.
const SEED: &str = "1";

/// The variable that sets the seed of proptest.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// How long the tests without outside needs may take with their build; several times what they take on a small machine.
const WORKSPACE_LIMIT: Duration = Duration::from_secs(45 * 60);

/// Tests without outside needs, with the fixed seed unless the caller gave one.
fn workspace_tests(root: &Path) -> Outcome {
    let mut command = workspace_command(root, "default");
    if std::env::var_os(SEED_VARIABLE).is_none() {
        command.env(SEED_VARIABLE, SEED);
    }
    outcome_within("workspace", &mut command, WORKSPACE_LIMIT)
}

/// All law tests with new random inputs, that many of them for each law which does not set its own number. Returns
/// whether they hold.
pub(crate) fn soak(root: &Path, cases: u32) -> bool {
    let mut tally = new_tally();
    let mut command = workspace_command(root, "soak");
    command.env_remove(SEED_VARIABLE).env("PROPTEST_CASES", cases.to_string());
    say(&tally.record("soak", outcome(steps::run("soak", &mut command))));
    close(&tally)
}

/// Nextest is faster where it is installed, and by its profile ends a single test that hangs; plain cargo does the rest
/// the same. A failure does not hide the next one.
fn workspace_command(root: &Path, profile: &str) -> Command {
    let nextest = steps::cargo(root, &["nextest", "--version"]).output();
    let args: &[&str] = match nextest {
        Ok(output) if output.status.success() => {
            &["nextest", "run", "--profile", profile, "--workspace", "--no-fail-fast"]
        }
        _ => &["test", "--workspace", "--no-fail-fast"],
    };
    steps::cargo(root, args)
}

/// Sees to what the suite needs, then runs it. Peers that cannot be had are counted.
fn run_one(root: &Path, suite: &Suite, installer: &mut Installer, tally: &mut Tally) -> Outcome {
    if let Err(reason) = installer.ensure(suite.packages) {
        return Outcome::Skipped { reason, allowed_because: None };
    }
    let mut command = steps::cargo(root, &suite.cargo_args());
    let temp = match SuiteTemp::create(suite.name) {
        Ok(temp) => temp,
        Err(reason) => return Outcome::Failed(reason),
    };
    temp.pass_to(&mut command);
    for bundle in suite.bundles {
        match bundle_of(root, bundle) {
            Ok(entry) => command.env(bundle.variable, entry),
            Err(reason) => return Outcome::Skipped { reason, allowed_because: None },
        };
    }
    let mut missing = 0;
    for peer in suite.peers {
        match bundle_of(root, peer) {
            Ok(entry) => _ = command.env(peer.variable, entry),
            Err(reason) => {
                missing += 1;
                let name = format!("{}: {}", suite.name, peer.name);
                say(&tally.record(&name, Outcome::Skipped { reason, allowed_because: None }));
            }
        }
    }
    if missing > 0 && missing == suite.peers.len() {
        return Outcome::Skipped {
            reason: "all that it is about is missing".to_owned(),
            allowed_because: None,
        };
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
            Traces::Found(folder) => {
                command.env(input.variable(), folder);
            }
            Traces::Absent { reason, asked_for } => return without_recordings(input, reason, asked_for),
        }
    }
    outcome_within(suite.name, &mut command, suite.limit())
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
fn without_recordings(input: OptionalInput, reason: String, asked_for: bool) -> Outcome {
    let allowed_because = (!asked_for).then(|| input.why_optional());
    Outcome::Skipped { reason, allowed_because }
}

fn outcome_within(name: &str, command: &mut Command, limit: Duration) -> Outcome {
    outcome(steps::run_within(name, command, limit))
}

fn outcome(step: anyhow::Result<()>) -> Outcome {
    match step {
        Ok(()) => Outcome::Passed,
        Err(error) => Outcome::Failed(format!("{error:#}")),
    }
}

fn say(lines: &[String]) {
    for line in lines {
        output::line(line);
    }
}

fn close(tally: &Tally) -> bool {
    output::line(tally.closing_line());
    tally.is_green()
}

#[cfg(test)]
mod tests;
