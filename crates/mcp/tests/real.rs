//! The client with servers that others wrote. `cargo xtask integration mcp` fetches them and names their folder in
//! `THROUGHLINE_MCP_SERVERS`.
//!
//! Every tool of the four is called for real. What `simulate-research-query` answers is an error: its calls are tasks as in
//! the revision of 2025-11-25, which the extension for tasks has replaced.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests may fail the test"
)]

#[expect(dead_code, reason = "the harder queries are for another test")]
#[path = "../../deferral/tests/catalogue/data.rs"]
mod data;
#[path = "real/everything.rs"]
mod everything;
#[path = "real/files.rs"]
mod files;
#[path = "real/many.rs"]
mod many;
#[path = "real/own.rs"]
mod own;
#[path = "real/session.rs"]
mod session;
#[path = "real/web.rs"]
mod web;
