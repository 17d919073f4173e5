//! What a suite shows, what it needs and how it runs.

use std::time::Duration;

use crate::bundles::Bundle;
use crate::packages::Package;
use crate::traces::OptionalInput;

/// The feature of the binary's crate that builds the suites.
pub(super) const INTEGRATION: &str = "throughline-cli/integration";

/// Tests that are slow or need something of the machine.
#[derive(Debug)]
pub(super) struct Suite {
    /// What it is called on the command line.
    pub(super) name: &'static str,
    /// What a green run shows, in one line.
    pub(super) about: &'static str,
    /// Installed first where they are missing; without them the suite is skipped.
    pub(super) packages: &'static [Package],
    /// Fetched after those; without them the suite is skipped as well.
    pub(super) bundles: &'static [Bundle],
    /// Fetched as well. The suite runs with those that can be had, and each of the others is counted as skipped.
    pub(super) peers: &'static [Bundle],
    /// What single parts of it need. Without one the suite runs, and the part is counted as skipped.
    pub(super) extras: &'static [Extra],
    /// Without it the suite is skipped, and a CI run that did not ask for it allows that.
    pub(super) optional_input: Option<OptionalInput>,
    /// The variable that sets its seed, if it uses random inputs.
    pub(super) seed: Option<&'static str>,
    /// Which lane it runs in.
    pub(super) lane: Lane,
    /// It runs only by its name and with `ci --all`: it fetches much or takes long.
    pub(super) by_name_only: bool,
    /// What is run.
    pub(super) target: SuiteTarget,
}

/// What a suite mostly does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// It waits for terminals, servers and clocks.
    Waiting,
    /// It computes: it builds, or runs programs one after the other without a pause.
    Computing,
}

/// What a part of a suite needs.
#[derive(Debug)]
pub(super) enum Extra {
    /// A bundle, fetched after these packages.
    Fetched(&'static [Package], Bundle),
    /// An input that may be absent.
    Input(OptionalInput),
}

/// A test target, kept out of plain `cargo test` by a feature.
#[derive(Debug, Clone, Copy)]
pub(super) enum SuiteTarget {
    /// Of the binary's crate, behind its feature `integration`. Built with the whole workspace, as the tests before it
    /// are: so everything below that crate is built once.
    Binary(&'static str),
    /// The same in release, for what would take too long otherwise.
    Release(&'static str),
    /// Of another crate, behind a feature that brings what most machines need not have.
    Library {
        /// The feature, with the package.
        feature: &'static str,
        /// The test target.
        test: &'static str,
    },
}

impl Suite {
    /// How long the suite may take with its build; several times what it takes on a small machine.
    pub(super) fn limit(&self) -> Duration {
        let is_long = self.by_name_only || matches!(self.target, SuiteTarget::Release(_));
        let minutes = if is_long { 60 } else { 20 };
        Duration::from_secs(minutes * 60)
    }

    /// The arguments for cargo.
    pub(super) fn cargo_args(&self) -> Vec<&'static str> {
        match self.target {
            SuiteTarget::Binary(test) => {
                vec!["test", "--workspace", "--features", INTEGRATION, "--test", test, "--", "--nocapture"]
            }
            // Of the package alone, cargo would choose other features for all that stands below it, and build that again.
            SuiteTarget::Library { feature, test } => {
                vec!["test", "--workspace", "--features", feature, "--test", test, "--"]
            }
            SuiteTarget::Release(test) => {
                let package = ["test", "--release", "-p", "throughline-cli", "--features", INTEGRATION];
                [&package[..], &["--test", test, "--", "--nocapture"]].concat()
            }
        }
    }
}
