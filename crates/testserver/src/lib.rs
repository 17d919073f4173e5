//! A server on 127.0.0.1 that speaks the protocols of model providers as the real services do, for tests.
//!
//! [`Server::start`] takes a [`Script`]: one [`Answer`] for each request that asks a model for something. An answer
//! is made of neutral blocks and sent in the protocol of the path that was asked: Anthropic's Messages, OpenAI's
//! Chat Completions and Responses, Gemini's generateContent, plain and behind Code Assist, and Ollama's chat. It can come slowly, in small pieces, broken, cut off, or be
//! an error. What was asked is kept as [`Received`], with what the validators of `providers` say about it; a body
//! that breaks a rule is refused as the service would refuse it.
//!
//! [`Script::from_json`] reads a script that a test in another language shares.
//!
//! [`Script::prompt_cache`] makes it cache prompts as Anthropic and OpenAI do, by a clock that [`Server::advance`] sets.
//!
//! [`OAuthServer`] is an MCP server that wants a login, with its authorization server.
//!
//! It runs on a thread of its own, so a test that blocks does not stop it. It knows no model: what it says is in
//! the script, and its token counts are bytes by four. Equal scripts and requests give equal bytes.

mod answer;
mod connection;
mod error_kind;
mod http;
mod oauth;
mod play;
mod prompt_cache;
mod received;
mod reply;
mod route;
mod script;
mod script_file;
mod server;
mod size;
mod state;
mod wire;

pub use answer::Answer;
pub use error_kind::ErrorKind;
pub use oauth::{OAuthRequest, OAuthServer};
pub use received::Received;
pub use script::{Demand, Script};
pub use script_file::ScriptError;
pub use server::Server;
