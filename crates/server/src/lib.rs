//! Sessions, messages, sent requests, compactions, checkpoints, handoffs and memos as JSON over HTTP, on the loopback interface.
//!
//! Any program of the user reads with [`Server`] what is stored in a data folder. Every request passes the same checks first: it
//! names the loopback address and the port as its host, comes from no other web page, and shows the token. Ids are parsed
//! before they are looked up. Lists come in pages. Errors are `{"error": {"message": …}}`.
//!
//! It does not know models, the terminal or arguments of a command line, and it writes nothing.

mod answer;
mod guard;
mod memos;
mod page;
mod params;
mod requests;
mod router;
mod server;
mod sessions;

pub use server::{Server, ServerError, TOKEN_FILE};
