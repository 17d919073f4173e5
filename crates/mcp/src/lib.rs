//! The tools of MCP servers, behind the port [`Tool`].
//!
//! An MCP server is a program, or a place on the network, that offers tools by the Model Context Protocol
//! (<https://modelcontextprotocol.io>). [`McpServers`] holds those of a session. It starts a server when something is
//! first asked of it, knows each server's tools before that from a cache, and gives them as tools whose names tell
//! where they come from. Servers come from [`parse_mcp_json`], which reads the file that other agents read too, or from
//! a [`ServerEntry`] of any other configuration.
//!
//! A server is somebody else's program: it may be slow, dead, wrong or hostile. Whatever it does, its tools answer in
//! time, in bounds and with words; the others go on, and [`McpServers::notes`] says what is missing and why. It gets
//! only the environment that its configuration names and what every program needs, so keys of others stay with us.
//!
//! Neighbours: `tools` has the port, `agent` calls them, `deferral` holds back the descriptions when there are too
//! many. The composition says where the cache is and when a new list may be taken up ([`McpServers::refresh`]).
//!
//! It does not know: which tools a request shows, whether a call is allowed, and which of several configurations a
//! person trusts.
//!
//! [`Tool`]: throughline_tools::Tool

mod bounds;
mod cache;
mod config;
mod connection;
mod entry;
mod expand;
mod handler;
mod http;
mod list;
mod local;
mod mcp_json;
mod naming;
mod output;
mod process;
mod redact;
mod remote;
mod schema;
mod server;
mod servers;
mod state;
mod stderr;
mod tool;

pub use config::{ConfigError, ServerConfig, Transport};
pub use entry::ServerEntry;
pub use local::{LocalServer, Pipe};
pub use mcp_json::{McpJson, parse_mcp_json};
pub use servers::{McpOptions, McpServers};
pub use state::{ServerReport, ServerStatus};
