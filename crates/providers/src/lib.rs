//! Model providers: their wire formats, validators for those, and clients that speak them.
//!
//! [`anthropic::encode`], [`openai::encode_chat`], [`openai::encode_responses`] and [`ollama::encode`] turn the
//! neutral request of `completion` into the body of a provider's HTTP request. They are plain functions: equal
//! requests give equal bytes, and the body of a longer transcript extends the body of a shorter one, so that the
//! provider's prompt cache stays warm.
//!
//! [`AnswerStream`] turns the bytes of the answer into events, in whatever pieces they come; each provider has a
//! decoder for it. [`fault::of_response`] turns a response that is no success into an error that says what to do.
//! Both are total and know no network.
//!
//! [`validate`] says which rules of a provider a body breaks, in the provider's own words. It reads bare JSON and
//! shares no code with the encoders, so it can judge the requests of any other program too.
//!
//! `client` holds what all clients share: keys that never show, addresses, and the port `client::Transport` to the
//! network. `anthropic::AnthropicModel` and its neighbours put the parts together behind `completion`'s port
//! `LanguageModel`. Without the feature `client` this crate opens no connection and builds without any HTTP library.
//!
//! [`tokens`] counts what OpenAI's models count, exactly and at the cost of the text's length; [`models`] is the
//! table of what models can hold and what they cost.
//!
//! This crate does not know who decides what is in a request, where markers are worth their price, or what a
//! session is beyond its name.

mod answer;
mod answer_stream;
pub mod anthropic;
mod call_ids;
#[cfg(feature = "client")]
pub mod client;
pub mod fault;
mod line_buffer;
pub mod models;
mod ndjson;
pub mod ollama;
pub mod openai;
mod prose;
mod sse;
#[cfg(feature = "tokens")]
pub mod tokens;
mod tool_input;
pub mod validate;
mod wire_name;
mod wire_schema;
mod wire_text;

pub use answer::Decoded;
pub use answer_stream::AnswerStream;
pub use line_buffer::{LineTooLong, MOST_BYTES};
pub use ndjson::NdjsonLines;
pub use sse::{SseEvent, SseLines};

#[cfg(test)]
mod example;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod stream_laws;
#[cfg(test)]
mod stream_samples;
