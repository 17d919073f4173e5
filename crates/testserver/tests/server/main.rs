//! The server over a real socket, asked by a client of its own that knows nothing of the server's code.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

mod anthropic;
mod chat;
mod client;
mod http;
mod ollama;
mod pace;
mod prompt_cache;
mod responses;
mod round_trip;
mod script;
mod script_file;
