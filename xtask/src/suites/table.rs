//! The integration suites: one entry says what a suite shows, what it needs and how it runs.

use std::time::Duration;

use crate::bundles::{Bundle, Tool};
use crate::packages::{
    CC, CHROMIUM, GIT, NODE, NPM, OPENSSL, PKG_CONFIG, POSTGRESQL, PYTHON_VENV, Package, TMUX,
};
use crate::traces::OptionalInput;

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
    /// It runs only by its name and with `ci --all`: it fetches much or takes long.
    pub(super) by_name_only: bool,
    /// What is run.
    pub(super) target: SuiteTarget,
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
        /// The crate's package.
        package: &'static str,
        /// The feature.
        feature: &'static str,
        /// The test target.
        test: &'static str,
    },
}

impl Suite {
    /// How long the suite may take with its build; several times what it takes on a small machine.
    pub(super) fn limit(&self) -> Duration {
        let minutes = if matches!(self.target, SuiteTarget::Release(_)) { 60 } else { 20 };
        Duration::from_secs(minutes * 60)
    }

    /// The arguments for cargo.
    pub(super) fn cargo_args(&self) -> Vec<&'static str> {
        const FEATURE: &str = "throughline-cli/integration";
        match self.target {
            SuiteTarget::Binary(test) => {
                vec!["test", "--workspace", "--features", FEATURE, "--test", test, "--", "--nocapture"]
            }
            SuiteTarget::Release(test) => {
                let package = ["test", "--release", "-p", "throughline-cli", "--features", FEATURE];
                [&package[..], &["--test", test, "--", "--nocapture"]].concat()
            }
            SuiteTarget::Library { package, feature, test } => {
                vec!["test", "-p", package, "--features", feature, "--test", test, "--"]
            }
        }
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
    packages: &[
        ("anthropic", "2.12.0"),
        ("google-genai", "3.4.0"),
        ("ollama", "0.6.3"),
        ("openai", "3.54.0"),
    ],
    variable: "THROUGHLINE_PYTHON",
};

/// A server that speaks the protocol of S3, with the client of AWS.
const S3_SERVER: Bundle = Bundle {
    name: "s3-server",
    tool: Tool::Pip,
    packages: &[("moto", "5.2.5"), ("flask", "3.1.3"), ("flask-cors", "6.0.5")],
    variable: "THROUGHLINE_S3_PYTHON",
};

/// The rules of accessibility, as a script for a page.
const AXE: Bundle = Bundle {
    name: "axe",
    tool: Tool::NpmProgram("node_modules/axe-core/axe.min.js"),
    packages: &[("axe-core", "4.14.1")],
    variable: "THROUGHLINE_AXE",
};

/// Tool servers by the authors of the protocol.
const MCP_SERVERS: Bundle = Bundle {
    name: "mcp-servers",
    tool: Tool::Npm,
    packages: &[
        ("@modelcontextprotocol/server-everything", "2026.8.31"),
        ("@modelcontextprotocol/server-filesystem", "2026.8.31"),
        ("@modelcontextprotocol/server-memory", "2026.8.31"),
        ("@modelcontextprotocol/server-sequential-thinking", "2026.8.31"),
    ],
    variable: "THROUGHLINE_MCP_SERVERS",
};

/// Other terminal agents, 1.2 GB together. The first three are programs of their own, for Linux on x86-64: the packages that
/// users install would choose one by a script, and that of Claude Code needs a newer Node for it.
const CLAUDE_CODE: Bundle = Bundle {
    name: "claude-code",
    tool: Tool::NpmProgram("node_modules/@anthropic-ai/claude-code-linux-x64/claude"),
    packages: &[("@anthropic-ai/claude-code-linux-x64", "2.1.330")],
    variable: "THROUGHLINE_CLAUDE_CODE",
};

const CODEX: Bundle = Bundle {
    name: "codex",
    tool: Tool::NpmProgram("node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"),
    packages: &[("@openai/codex", "0.169.0")],
    variable: "THROUGHLINE_CODEX",
};

const OPENCODE: Bundle = Bundle {
    name: "opencode",
    tool: Tool::NpmProgram("node_modules/opencode-linux-x64/bin/opencode"),
    packages: &[("opencode-linux-x64", "1.18.33")],
    variable: "THROUGHLINE_OPENCODE",
};

const GEMINI_CLI: Bundle = Bundle {
    name: "gemini-cli",
    tool: Tool::NpmProgram("node_modules/.bin/gemini"),
    packages: &[("@google/gemini-cli", "0.61.0")],
    variable: "THROUGHLINE_GEMINI_CLI",
};

/// All suites, quick ones first.
pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "binary",
        about: "the binary as its user meets it: commands, bad input, exit codes, the demo",
        packages: &[GIT],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Binary("binary"),
    },
    Suite {
        name: "server",
        about: "the HTTP server of the binary: every route, ten thousand requests, changes, preferences, the report, turns",
        packages: &[GIT],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Binary("server"),
    },
    Suite {
        name: "acp",
        about: "the agent of an editor, driven by the protocol's own client: tools, permission, diffs, plan, cancel, kill, load",
        packages: &[],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Binary("acp"),
    },
    Suite {
        name: "browser",
        about: "the inspector in a real browser: every page in two sizes and both themes, click paths, accessibility, hostile content",
        packages: &[GIT, CHROMIUM],
        bundles: &[],
        peers: &[],
        extras: &[Extra::Fetched(&[NODE, NPM], AXE), Extra::Input(OptionalInput::Traces)],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Binary("browser"),
    },
    Suite {
        name: "postgres",
        about: "sessions on a PostgreSQL server: contracts, many writers, a killed and a stalled one, restarts, TLS, a full disk",
        packages: &[GIT, POSTGRESQL],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Binary("postgres"),
    },
    Suite {
        name: "objects",
        about: "large results in a real S3 server: contracts, forks, undo, copies, several processes, a killed one, an outage",
        packages: &[GIT, PYTHON_VENV],
        bundles: &[S3_SERVER],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Binary("objects"),
    },
    Suite {
        name: "safety",
        about: "attacks by a model, its commands and a hostile project, as root and as another user",
        packages: &[],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Binary("safety"),
    },
    Suite {
        name: "salvage",
        about: "500 damaged databases: every record that is left is exported, every lost one is named",
        packages: &[],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: Some("SALVAGE_SEED"),
        by_name_only: false,
        target: SuiteTarget::Binary("salvage"),
    },
    Suite {
        name: "terminal",
        about: "the interactive session in a real terminal: a task in a real project, commands, sessions, endings",
        packages: &[TMUX, GIT],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Binary("terminal"),
    },
    Suite {
        name: "wire",
        about: "our clients and our test server against peers that others wrote",
        packages: &[NODE, NPM, PYTHON_VENV],
        bundles: &[AIMOCK, OFFICIAL_CLIENTS],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Binary("wire"),
    },
    Suite {
        name: "recorded",
        about: "recorded answers of real providers: nothing is lost, and what is sent next is valid by their clients' types",
        packages: &[PYTHON_VENV],
        bundles: &[OFFICIAL_CLIENTS],
        peers: &[],
        extras: &[],
        optional_input: Some(OptionalInput::Wire),
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Binary("recorded"),
    },
    Suite {
        name: "mcp",
        about: "tools of MCP servers that others wrote: all of them called, two hundred of them in a small window",
        packages: &[NODE, NPM],
        bundles: &[MCP_SERVERS],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Library { package: "throughline-mcp", feature: "real-servers", test: "real" },
    },
    Suite {
        name: "sdk",
        about: "the second transport for Anthropic, by its SDK, keeps the contract of all clients",
        packages: &[CC, PKG_CONFIG, OPENSSL],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Library {
            package: "throughline-providers",
            feature: "anthropic-sdk",
            test: "clients",
        },
    },
    Suite {
        name: "crash",
        about: "the demo is killed 200 times and loses nothing that it had said it kept",
        packages: &[GIT],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: Some("CRASH_SEED"),
        by_name_only: false,
        target: SuiteTarget::Binary("crash"),
    },
    Suite {
        name: "replay",
        about: "recorded sessions of real agents run through the engine",
        packages: &[],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: Some(OptionalInput::Traces),
        seed: None,
        by_name_only: false,
        target: SuiteTarget::Release("replay"),
    },
    Suite {
        name: "postgres-load",
        about: "sixty-four sessions of two hundred turns on a PostgreSQL server, from four processes: nothing is lost or there twice",
        packages: &[POSTGRESQL],
        bundles: &[],
        peers: &[],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: true,
        target: SuiteTarget::Release("postgres_load"),
    },
    Suite {
        name: "agents",
        about: "the real Claude Code, Codex, OpenCode and Gemini CLI under `watch`, against our test server",
        packages: &[NODE, NPM, TMUX],
        bundles: &[],
        peers: &[CLAUDE_CODE, CODEX, OPENCODE, GEMINI_CLI],
        extras: &[],
        optional_input: None,
        seed: None,
        by_name_only: true,
        target: SuiteTarget::Binary("agents"),
    },
];
