//! The tools of MCP servers, behind the port [`Tool`].
//!
//! An MCP server is a program, or a network service, that offers tools by the Model Context Protocol
//! (<https://modelcontextprotocol.io>). [`McpServers`] manages the servers of a session. It starts a server on first use,
//! knows its tools before that from a cache, and offers them under names that contain the server's name. Servers come from
//! [`parse_mcp_json`], which reads the file format that most agents share, or from a [`ServerEntry`] of another
//! configuration.
//!
//! A server is foreign code: it may be slow, dead, wrong or hostile. Whatever it does, its tools answer in time, within
//! limits and with a text; the other servers continue, and [`McpServers::notes`] says what is missing and why. A server gets
//! the environment variables that its configuration names and those that every program needs, so it does not see other
//! keys.
//!
//! ```
//! use throughline_mcp::{McpOptions, McpServers, parse_mcp_json};
//!
//! let text = r#"{ "mcpServers": { "files": { "command": "files-mcp", "args": ["--root", "${ROOT:-/tmp}"] } } }"#;
//! let parsed = parse_mcp_json(text, &|name| std::env::var(name).ok())?;
//! assert!(parsed.errors.is_empty());
//!
//! let servers = McpServers::new(parsed.servers, McpOptions::new("/tmp"));
//! assert_eq!(servers.reports()[0].name, "files");
//! assert!(servers.tools().is_empty(), "nothing was started yet");
//! # Ok::<(), throughline_mcp::ConfigError>(())
//! ```
//!
//! A network server that answers 401 is logged in to by OAuth: [`Login`] asks the user's browser, [`LoginStore`] stores the tokens,
//! and requests to that server alone carry them. They are renewed when they expire; a server that refuses that is reported as
//! [`ServerStatus::NeedsLogin`].
//!
//! Neighbours: `tools` has the port, `agent` calls the tools, `deferral` defers their descriptions when there are too many.
//! The caller chooses the cache folder and the time to apply changed tool lists ([`McpServers::refresh`]).
//!
//! It does not know which tools a request shows, whether a call is allowed, or which configuration the user trusts.
//!
//! [`Tool`]: throughline_tools::Tool

mod access;
mod authorization;
mod authorized;
mod cache;
mod callback;
mod callers;
mod challenge;
mod check_message;
mod checked_lines;
mod config;
mod connect;
mod connection;
mod entry;
mod expand;
mod fault;
mod handler;
mod http;
mod http_client;
mod http_transport;
mod limits;
mod local_server;
mod login;
mod login_answer;
mod login_error;
mod login_store;
mod mcp_json;
mod mcp_tool;
mod naming;
mod oauth_options;
mod open_task;
mod output;
mod page_cursors;
mod process;
mod question;
mod redact;
mod refused;
mod relaxed_json;
mod remote_tool;
mod repaired_events;
mod report;
mod server;
mod server_state;
mod servers;
mod session_gone;
mod skills;
mod stderr;
mod stored_login;
mod tool_list;
mod tool_request;

pub use config::{ConfigError, ServerConfig, Transport};
pub use entry::ServerEntry;
pub use local_server::{LocalServer, Pipe};
pub use login::{Login, LoginState, log_out};
pub use login_error::LoginError;
pub use login_store::LoginStore;
pub use mcp_json::{McpJson, parse_mcp_json};
pub use oauth_options::OAuthOptions;
pub use report::{ServerReport, ServerStatus};
pub use servers::{McpOptions, McpServers};
pub use skills::ServerSkills;
