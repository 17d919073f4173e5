//! Requests and answers of model providers in their wire formats, without a client.
//!
//! A program that owns its client needs three names: [`WireRequest`] writes a request as a body, [`WireAnswer`] reads a response as
//! an answer, and [`Wire`] says in which protocol; [`WireOptions`] has what a server takes besides. A refusal becomes an error by
//! [`Wire::refusal`], a running stream becomes events by [`AnswerStream`].
//!
//! Below them a provider is a folder with the same files: `encode`, `decode`, `validate`, and what is its own.
//!
//! - **encode**: [`anthropic::encode`], [`openai_chat::encode`], [`openai_responses::encode`], [`gemini::encode`] and
//!   [`ollama::encode`] turn the neutral request of `completion` into the body of an HTTP request. They are pure functions: equal requests give
//!   equal bytes, and the body of a longer transcript extends that of a shorter one, so that the provider's prompt cache
//!   stays warm.
//! - **decode**: [`AnswerStream`] turns the bytes of a response into events, whatever pieces they come in.
//! - **validate**: [`validate`] reports which rules of a provider a body breaks, in the provider's own words. It reads
//!   plain JSON and shares no code with the encoders, so it can judge the requests of any program.
//! - **errors**: [`errors::of_response`] turns a refusal into an error that a caller can act on.
//!
//! This crate does not decide what is in a request or where cache markers are worth their price; `agent` and `prompt`
//! do. It opens no connection; `providers` has clients.
//!
//! ```
//! use std::sync::Arc;
//!
//! use throughline_completion::CompletionRequest;
//! use throughline_conversation::{Message, Transcript};
//! use throughline_completion::{Answer, StopReason};
//! use throughline_wire::{Wire, WireAnswer as _, WireRequest as _, validate};
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
//! let body = request.body(Wire::Anthropic);
//! assert_eq!(body["messages"][0]["role"], "user");
//! assert!(validate::anthropic(&body).is_empty());
//!
//! // What the server answers to it.
//! let body = serde_json::json!({"content": [{"type": "text", "text": "Hello."}], "stop_reason": "end_turn"});
//! let answer = Answer::from_wire(Wire::Anthropic, &body)?;
//! assert_eq!((answer.message.text().as_str(), answer.stop), ("Hello.", StopReason::EndTurn));
//! # Ok::<(), throughline_wire::WireError>(())
//! ```

mod answer;
pub mod anthropic;
mod effort;
mod error;
pub mod errors;
mod figure;
mod form;
pub mod gemini;
mod list;
pub mod ollama;
pub mod openai;
pub mod openai_chat;
pub mod openai_responses;
mod options;
mod request;
pub mod stream;
pub mod validate;
mod wire;

pub use answer::WireAnswer;
pub use effort::Effort;
pub use error::WireError;
pub use list::{ListError, ListedForm, ListedMessage};
pub use options::WireOptions;
pub use request::WireRequest;
pub use stream::AnswerStream;
pub use wire::Wire;

#[cfg(test)]
mod tests;
