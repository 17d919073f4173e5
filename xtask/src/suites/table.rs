//! The integration suites: one entry says what a suite shows, what it needs and how it runs.

use crate::packages::{GIT, Package};
use crate::traces::OptionalInput;

/// A test target of the binary's crate, kept out of plain `cargo test` because it is slow or needs something.
#[derive(Debug)]
pub(super) struct Suite {
    /// What it is called on the command line.
    pub(super) name: &'static str,
    /// What a green run shows, in one line.
    pub(super) about: &'static str,
    /// Installed first where they are missing; without them the suite is skipped.
    pub(super) packages: &'static [Package],
    /// Without it the suite is skipped, and a CI run that did not ask for it allows that.
    pub(super) optional_input: Option<OptionalInput>,
    /// The test target. It stands behind the feature `integration`.
    pub(super) target: &'static str,
}

impl Suite {
    /// The arguments for cargo. Release, because kills and recorded sessions are about time as well.
    pub(super) fn cargo_args(&self) -> [&'static str; 10] {
        let Self { target, .. } = self;
        [
            "test",
            "--release",
            "-p",
            "throughline-cli",
            "--features",
            "integration",
            "--test",
            target,
            "--",
            "--nocapture",
        ]
    }
}

/// All suites, quick ones first.
pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "binary",
        about: "the binary as its user meets it: commands, bad input, exit codes, the demo",
        packages: &[GIT],
        optional_input: None,
        target: "binary",
    },
    Suite {
        name: "crash",
        about: "the demo is killed 200 times and loses nothing that it had said it kept",
        packages: &[GIT],
        optional_input: None,
        target: "crash",
    },
    Suite {
        name: "replay",
        about: "recorded sessions of real agents run through the engine",
        packages: &[],
        optional_input: Some(OptionalInput::Traces),
        target: "replay",
    },
];
