//! The agent for editors: the Agent Client Protocol (ACP, protocol version 1) over two streams of lines.
//!
//! [`serve`] answers one client until it closes its side. Sessions are opened and work by the library: [`open`] opens one,
//! [`message_turn`] works in it, and its events become the protocol's updates. What the permissions ask goes to the client;
//! one that is gone, or that cancels, has denied the call. Several sessions are open side by side, each with its own turn.
//!
//! The lines that begin with `/` come by a port, [`SessionCommands`], because their grammar belongs to the command line.
//!
//! It does not know providers, the terminal or arguments of a command line, and writes nothing but the protocol to its
//! output.
//!
//! [`open`]: throughline_session::open
//! [`message_turn`]: throughline_session::Session::message_turn

mod approver;
mod auth;
mod calls;
mod choices;
mod commands;
mod editor;
mod editor_texts;
mod eliciting;
mod failure;
mod handlers;
mod history;
mod lines;
mod link;
mod list;
mod observed_tools;
mod opening;
mod options;
mod prompt;
mod running_output;
mod serve;
mod server;
mod session;
mod sink;
mod turn;

pub use commands::{CommandInfo, SessionCommands};
pub use options::AcpOptions;
pub use serve::{AcpError, serve};
