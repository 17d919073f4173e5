//! The integration suites, one entry each.

use super::programs::{
    AIMOCK, AXE, CLAUDE_CODE, CODEX, GEMINI_CLI, HERMES, LLAMA_CPP, MCP_SERVERS, NODE_FRAMEWORKS, NODE_TOOLS,
    OFFICIAL_CLIENTS, OPENAPI_CLIENT, OPENCODE, PYTHON_FRAMEWORKS, PYTHON_TOOLS, REDOCLY, S3_SERVER,
};
use super::suite::{Extra, Lane, Suite, SuiteTarget};
use crate::packages::{CC, CHROMIUM, GIT, NODE, NPM, OPENSSL, PKG_CONFIG, POSTGRESQL, PYTHON_VENV, TMUX};
use crate::traces::OptionalInput;

/// A suite that needs nothing.
const PLAIN: Suite = Suite {
    name: "",
    about: "",
    packages: &[],
    bundles: &[],
    peers: &[],
    extras: &[],
    optional_input: None,
    seed: None,
    lane: Lane::Waiting,
    by_name_only: false,
    target: SuiteTarget::Binary(""),
};

/// The test targets of the binary's crate that are suites.
pub(super) fn test_targets() -> impl Iterator<Item = &'static str> {
    SUITES.iter().filter_map(|suite| match suite.target {
        SuiteTarget::Binary(test) | SuiteTarget::Release(test) => Some(test),
        SuiteTarget::Library { .. } => None,
    })
}

/// All suites, quick ones first.
pub(super) const SUITES: &[Suite] = &[
    Suite {
        name: "binary",
        about: "the binary as its user meets it: commands, bad input, exit codes, the demo",
        packages: &[GIT],
        target: SuiteTarget::Binary("binary"),
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "server",
        about: "the HTTP server of the binary: every route, ten thousand requests, changes, preferences, the report, turns",
        packages: &[GIT],
        target: SuiteTarget::Binary("server"),
        ..PLAIN
    },
    Suite {
        name: "doors",
        about: "the context engine by Rust, by lines and by HTTP: the same bodies and errors, a kill, a linter and a generated client",
        extras: &[Extra::Fetched(&[NODE, NPM], REDOCLY), Extra::Fetched(&[PYTHON_VENV], OPENAPI_CLIENT)],
        target: SuiteTarget::Binary("doors"),
        ..PLAIN
    },
    Suite {
        name: "packages",
        about: "the packages for Python and Node.js: built, installed into an empty place, and their own tests there",
        extras: &[Extra::Fetched(&[PYTHON_VENV], PYTHON_TOOLS), Extra::Fetched(&[NODE, NPM], NODE_TOOLS)],
        target: SuiteTarget::Binary("bindings"),
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "acp",
        about: "the agent of an editor, driven by the protocol's own client: tools, permission, diffs, plan, cancel, kill, load",
        target: SuiteTarget::Binary("acp"),
        ..PLAIN
    },
    Suite {
        name: "browser",
        about: "the inspector in a real browser: every page in two sizes and both themes, click paths, accessibility, hostile content",
        packages: &[GIT, CHROMIUM],
        extras: &[Extra::Fetched(&[NODE, NPM], AXE), Extra::Input(OptionalInput::Traces)],
        target: SuiteTarget::Binary("browser"),
        ..PLAIN
    },
    Suite {
        name: "postgres",
        about: "sessions on a PostgreSQL server: contracts, many writers, a killed and a stalled one, restarts, TLS, a full disk",
        packages: &[GIT, POSTGRESQL],
        target: SuiteTarget::Binary("postgres"),
        ..PLAIN
    },
    Suite {
        name: "objects",
        about: "large results in a real S3 server: contracts, forks, undo, copies, several processes, a killed one, an outage",
        packages: &[GIT, PYTHON_VENV],
        bundles: &[S3_SERVER],
        target: SuiteTarget::Binary("objects"),
        ..PLAIN
    },
    Suite {
        name: "safety",
        about: "attacks by a model, its commands and a hostile project, as root and as another user",
        target: SuiteTarget::Binary("safety"),
        ..PLAIN
    },
    Suite {
        name: "salvage",
        about: "500 damaged databases: every record that is left is exported, every lost one is named",
        seed: Some("SALVAGE_SEED"),
        target: SuiteTarget::Binary("salvage"),
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "terminal",
        about: "the interactive session in a real terminal: a task in a real project, commands, sessions, endings",
        packages: &[TMUX, GIT],
        target: SuiteTarget::Binary("terminal"),
        ..PLAIN
    },
    Suite {
        name: "wire",
        about: "our clients and our test server against peers that others wrote",
        packages: &[NODE, NPM, PYTHON_VENV],
        bundles: &[AIMOCK, OFFICIAL_CLIENTS],
        target: SuiteTarget::Binary("wire"),
        ..PLAIN
    },
    Suite {
        name: "recorded",
        about: "recorded answers of real providers: nothing is lost, and what is sent next is valid by their clients' types",
        packages: &[PYTHON_VENV],
        bundles: &[OFFICIAL_CLIENTS],
        optional_input: Some(OptionalInput::Wire),
        target: SuiteTarget::Binary("recorded"),
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "mcp",
        about: "tools of MCP servers that others wrote: all of them called, two hundred of them in a small window",
        packages: &[NODE, NPM],
        bundles: &[MCP_SERVERS],
        target: SuiteTarget::Library { feature: "throughline-mcp/real-servers", test: "real" },
        ..PLAIN
    },
    Suite {
        name: "sdk",
        about: "the second transport for Anthropic, by its SDK, keeps the contract of all clients",
        packages: &[CC, PKG_CONFIG, OPENSSL],
        target: SuiteTarget::Library { feature: "throughline-providers/anthropic-sdk", test: "clients" },
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "crash",
        about: "the demo is killed 200 times and loses nothing that it had said it kept",
        packages: &[GIT],
        seed: Some("CRASH_SEED"),
        target: SuiteTarget::Binary("crash"),
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "replay",
        about: "recorded sessions of real agents run through the engine: a sample under every option",
        optional_input: Some(OptionalInput::Traces),
        target: SuiteTarget::Binary("replay"),
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "replay-all",
        about: "every recorded session under every option, in release",
        optional_input: Some(OptionalInput::Traces),
        by_name_only: true,
        target: SuiteTarget::Release("replay"),
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "postgres-load",
        about: "sixty-four sessions of two hundred turns on a PostgreSQL server, from four processes: nothing is lost or there twice; and a hundred thousand old ones deleted",
        packages: &[POSTGRESQL],
        by_name_only: true,
        target: SuiteTarget::Release("postgres_load"),
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "retention",
        about: "a hundred thousand old sessions are deleted while another process writes: sessions in a second, and its longest wait",
        by_name_only: true,
        target: SuiteTarget::Binary("retention"),
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "agents",
        about: "the real Claude Code, Codex, OpenCode and Gemini CLI under `watch`, against our test server",
        packages: &[NODE, NPM, TMUX],
        peers: &[CLAUDE_CODE, CODEX, OPENCODE, GEMINI_CLI],
        by_name_only: true,
        target: SuiteTarget::Binary("agents"),
        ..PLAIN
    },
    Suite {
        name: "bindings",
        about: "the same packages in real frameworks with models of their own: long sessions, a resume, a read-back",
        extras: &[
            Extra::Fetched(&[PYTHON_VENV], PYTHON_FRAMEWORKS),
            Extra::Fetched(&[PYTHON_VENV], HERMES),
            Extra::Fetched(&[NODE, NPM], NODE_FRAMEWORKS),
        ],
        by_name_only: true,
        target: SuiteTarget::Binary("bindings"),
        lane: Lane::Computing,
        ..PLAIN
    },
    Suite {
        name: "local",
        about: "a real model on this machine, by the server of llama.cpp: its stream, cache, window and errors",
        packages: &[PYTHON_VENV],
        bundles: &[LLAMA_CPP],
        by_name_only: true,
        target: SuiteTarget::Binary("local"),
        lane: Lane::Computing,
        ..PLAIN
    },
];
