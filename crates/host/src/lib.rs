//! Contexts on stored sessions, and their operations as JSON-RPC over two streams.
//!
//! [`HostOptions`] says where sessions are stored, and opens the [`Contexts`](throughline_contexts::Contexts) of a process on it.
//! [`stored_contexts`] does that with a storage that is open already. [`serve_lines`] answers a client that writes one call
//! per line.

mod lines;
mod message;
mod models;
mod options;
mod stored_sessions;

pub use lines::{LineNotices, PROTOCOL, Turns, serve_lines};
pub use options::{HostError, HostOptions, memory_contexts, stored_contexts};
