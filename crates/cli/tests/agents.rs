//! The real agents under `throughline watch`, against our test server: a task with tools, compactions, restored contexts in the
//! body of the next request, and what a killed program leaves. `cargo xtask integration agents` installs them and names them in
//! `THROUGHLINE_CLAUDE_CODE`, `THROUGHLINE_CODEX`, `THROUGHLINE_OPENCODE` and `THROUGHLINE_GEMINI_CLI`.
//!
//! An agent that is not named is skipped. Each test has a home folder and a provider of its own; nothing else is reached.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "helpers of tests may fail the test"
)]
#![allow(dead_code, reason = "the place, the terminal and what ran in them are shared with other suites")]

#[path = "agents/bodies.rs"]
mod bodies;
#[path = "agents/claude.rs"]
mod claude;
#[path = "agents/claude_module.rs"]
mod claude_module;
#[path = "agents/codex.rs"]
mod codex;
#[path = "agents/gemini.rs"]
mod gemini;
#[path = "agents/installed.rs"]
mod installed;
#[path = "agents/opencode.rs"]
mod opencode;
#[path = "binary/place.rs"]
mod place;
#[path = "binary/ran.rs"]
mod ran;
#[path = "agents/screens.rs"]
mod screens;
#[path = "agents/stage.rs"]
mod stage;
#[path = "terminal/tmux.rs"]
mod tmux;
