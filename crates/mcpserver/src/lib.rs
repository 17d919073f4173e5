//! Sessions, memos and stored results as an MCP server, for other agents.
//!
//! An agent that speaks the Model Context Protocol (<https://modelcontextprotocol.io>) searches the messages and calls of earlier sessions in a
//! folder, reads stored results, keeps a plan and notes, and gets what it must know to continue: [`serve`] answers it over
//! two streams, [`HttpServer`] over HTTP on the loopback interface. The tools run the functions that Throughline's own agent runs; this crate adds who may see what: sessions
//! of the client's workspace, unless [`Visible::any_folder`].
//!
//! A client is foreign code. Ids are compared, never made into paths; every answer is bounded and names its next page; a
//! query runs in the sandbox of `query`; a message that cannot be read is skipped, and a request that is too long is refused.
//!
//! It does not know models, the terminal or arguments of a command line.

mod answer;
mod arguments;
mod catalogue;
mod error;
mod http;
mod lines;
mod memos;
mod reading;
mod resources;
mod scratchpad;
mod search;
mod server;
mod sessions;
mod skills;
mod workspace;
mod wrong_params;

pub use error::ServeError;
pub use http::HttpServer;
pub use server::{MemoryServer, serve};
pub use workspace::Visible;
