//! Model providers: wire formats, validators, clients, models and token counters.
//!
//! A provider is a folder with the same five files: `encode`, `decode`, `validate`, `client`, `errors`.
//!
//! - **encode**: [`anthropic::encode`], [`openai_chat::encode`], [`openai_responses::encode`], [`gemini::encode`] and
//!   [`ollama::encode`] turn the neutral request of `completion` into the body of an HTTP request. They are pure functions: equal requests give
//!   equal bytes, and the body of a longer transcript extends that of a shorter one, so that the provider's prompt cache
//!   stays warm.
//! - **decode**: [`AnswerStream`] turns the bytes of a response into events, whatever pieces they come in.
//! - **validate**: [`validate`] reports which rules of a provider a body breaks, in the provider's own words. It reads
//!   plain JSON and shares no code with the encoders, so it can judge the requests of any program.
//! - **client**: `AnthropicModel` and its neighbours implement `completion`'s port `LanguageModel`. `http` holds what they
//!   share: keys that are never shown, addresses, and the port `Transport` to the network. Without the feature `client`
//!   this crate opens no connection and builds without an HTTP library.
//! - **errors**: [`errors::of_response`] turns a refusal into an error that a caller can act on.
//!
//! [`tokens`] counts what OpenAI's models count, exactly; [`models`] is the table of what models can hold and what they
//! cost.
//!
//! This crate does not decide what is in a request or where cache markers are worth their price; `agent` and `prompt`
//! do.
//!
//! ```
//! use std::sync::Arc;
//!
//! use throughline_completion::CompletionRequest;
//! use throughline_conversation::{Message, Transcript};
//! use throughline_providers::{anthropic, validate};
//!
//! let request = CompletionRequest {
//!     model: "claude-sonnet-4-5".to_owned(),
//!     session: None,
//!     tools: Arc::new([]),
//!     system: Arc::new([]),
//!     transcript: Transcript::from_messages([Message::user("hello")]),
//!     tail: Vec::new(),
//!     breakpoints: Vec::new(),
//!     max_output_tokens: 1_024,
//! };
//! let body = anthropic::encode(&request);
//! assert_eq!(body["messages"][0]["role"], "user");
//! assert!(validate::anthropic(&body).is_empty());
//! ```

pub mod anthropic;
pub mod errors;
pub mod gemini;
#[cfg(feature = "client")]
pub mod http;
pub mod models;
pub mod ollama;
pub mod openai;
pub mod openai_chat;
pub mod openai_responses;
pub mod stream;
#[cfg(feature = "tokens")]
pub mod tokens;
pub mod validate;
mod wire;

pub use stream::AnswerStream;

#[cfg(test)]
mod tests;
