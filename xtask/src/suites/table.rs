//! The integration suites: one entry says what a suite shows, what it needs and how it runs.

use crate::bundles::{Bundle, Tool};
use crate::packages::{GIT, NODE, NPM, PYTHON_VENV, Package};
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
    /// Fetched after those; without them the suite is skipped as well.
    pub(super) bundles: &'static [Bundle],
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

/// A server that speaks the providers' protocols, written by others.
const AIMOCK: Bundle = Bundle {
    name: "aimock",
    tool: Tool::Npm,
    packages: &[("@copilotkit/aimock", "1.43.0")],
    variable: "THROUGHLINE_AIMOCK",
};

/// The providers' own clients.
const OFFICIAL_CLIENTS: Bundle = Bundle {
    name: "official-clients",
    tool: Tool::Pip,
    packages: &[("anthropic", "2.12.0"), ("ollama", "0.6.3"), ("openai", "3.54.0")],
    variable: "THROUGHLINE_PYTHON",
};

/// All suites, quick ones first.
pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "binary",
        about: "the binary as its user meets it: commands, bad input, exit codes, the demo",
        packages: &[GIT],
        bundles: &[],
        optional_input: None,
        target: "binary",
    },
    Suite {
        name: "wire",
        about: "our clients and our test server against peers that others wrote",
        packages: &[NODE, NPM, PYTHON_VENV],
        bundles: &[AIMOCK, OFFICIAL_CLIENTS],
        optional_input: None,
        target: "wire",
    },
    Suite {
        name: "crash",
        about: "the demo is killed 200 times and loses nothing that it had said it kept",
        packages: &[GIT],
        bundles: &[],
        optional_input: None,
        target: "crash",
    },
    Suite {
        name: "replay",
        about: "recorded sessions of real agents run through the engine",
        packages: &[],
        bundles: &[],
        optional_input: Some(OptionalInput::Traces),
        target: "replay",
    },
];
