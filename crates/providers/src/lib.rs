//! Model providers: their wire formats, validators for those, and clients that speak them.
//!
//! [`anthropic::encode`], [`openai_chat::encode`], [`openai_responses::encode`] and [`ollama::encode`] turn the
//! neutral request of `completion` into the body of a provider's HTTP request. They are plain functions: equal
//! requests give equal bytes, and the body of a longer transcript extends the body of a shorter one, so that the
//! provider's prompt cache stays warm.
//!
//! [`AnswerStream`] turns the bytes of the answer into events, in whatever pieces they come; each provider has a
//! decoder for it. [`errors::of_response`] turns a response that is no success into an error that says what to do.
//! Both are total and know no network.
//!
//! [`validate`] says which rules of a provider a body breaks, in the provider's own words. It reads bare JSON and
//! shares no code with the encoders, so it can judge the requests of any other program too.
//!
//! `http` holds what all clients share: keys that never show, addresses, and the port `http::Transport` to the
//! network. `anthropic::AnthropicModel` and its neighbours put the parts together behind `completion`'s port
//! `LanguageModel`. Without the feature `http` this crate opens no connection and builds without any HTTP library.
//!
//! [`tokens`] counts what OpenAI's models count, exactly and at the cost of the text's length; [`models`] is the
//! table of what models can hold and what they cost.
//!
//! This crate does not know who decides what is in a request, where markers are worth their price, or what a
//! session is beyond its name.

pub mod anthropic;
pub mod errors;
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
