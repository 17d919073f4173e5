//! The test run: unit, contract and law tests first, then the integration suites of the table.

mod executables;
mod lanes;
mod prepared;
mod programs;
mod suite;
mod table;
mod temp;
mod units;

use std::path::Path;
use std::process::Command;

use crate::packages::Installer;
use crate::tally::{Outcome, Tally};
use crate::{output, steps};
use prepared::Prepared;
use suite::Suite;
use table::SUITES;

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
    run_all(root, choice, true, &mut tally);
    close(&tally)
}

/// The suites alone.
pub(crate) fn integration(root: &Path, choice: Choice<'_>) -> bool {
    let mut tally = new_tally();
    run_all(root, choice, false, &mut tally);
    close(&tally)
}

/// Returns true if `CI=true` is set, which forbids what a developer's machine may leave out.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| value == "true")
}

fn new_tally() -> Tally {
    Tally::new(in_ci())
}

/// One suite alone, whose output appears as it comes; several in two lanes, with the tests of the crates if `with_units` is set.
fn run_all(root: &Path, choice: Choice<'_>, with_units: bool, tally: &mut Tally) {
    let mut installer = Installer::default();
    let mut prepared = Vec::new();
    for suite in SUITES.iter().filter(|suite| choice.has(suite)) {
        match Prepared::new(root, suite, &mut installer, tally) {
            Ok(suite) => prepared.push(suite),
            Err(outcome) => say(&tally.record(suite.name, outcome)),
        }
    }
    if matches!(choice, Choice::Named(_)) {
        for mut suite in prepared {
            suite.announce();
            let outcome = suite.run();
            say(&tally.record(suite.suite.name, outcome));
        }
    } else {
        lanes::run(root, prepared, with_units, tally);
    }
}

/// The law tests and the suites draw what is by chance from this seed, so that a run says the same of the same tree wherever and whenever
/// it is made. `cargo xtask soak` draws others.
const SEED: &str = "1";

/// The variable that sets the seed of proptest.
const SEED_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// All law tests with new random inputs, that many of them for each law which does not set its own number. Returns
/// whether they hold.
pub(crate) fn soak(root: &Path, cases: u32) -> bool {
    let mut tally = new_tally();
    let mut command = soak_command(root);
    command.env_remove(SEED_VARIABLE).env("PROPTEST_CASES", cases.to_string());
    say(&tally.record("soak", outcome(steps::run("soak", &mut command))));
    close(&tally)
}

/// Nextest is faster where it is installed; plain cargo does the same. A failure does not hide the next one.
fn soak_command(root: &Path) -> Command {
    let nextest = steps::cargo(root, &["nextest", "--version"]).output();
    let args: &[&str] = match nextest {
        Ok(output) if output.status.success() => {
            &["nextest", "run", "--profile", "soak", "--workspace", "--no-fail-fast"]
        }
        _ => &["test", "--workspace", "--no-fail-fast"],
    };
    steps::cargo(root, args)
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
