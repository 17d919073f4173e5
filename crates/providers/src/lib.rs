//! Model providers: clients, the table of models, and exact token counters.
//!
//! - **client**: [`anthropic::AnthropicModel`](crate::anthropic::AnthropicModel) and its neighbours implement `completion`'s port `LanguageModel`: they send the
//!   bodies of `wire` and read its events. `http` holds what they share: keys that are never shown, addresses, and the port
//!   `Transport` to the network.
//! - [`models`] is the table of what models can hold and what they cost.
//! - [`tokens`] counts what OpenAI's models count, exactly.
//!
//! Without the feature `client` this crate opens no connection and builds without an HTTP library.

#[cfg(feature = "client")]
pub mod anthropic;
#[cfg(feature = "client")]
pub mod gemini;
#[cfg(feature = "client")]
pub mod http;
pub mod models;
#[cfg(feature = "client")]
pub mod ollama;
#[cfg(feature = "client")]
pub mod openai;
#[cfg(feature = "client")]
pub mod openai_chat;
#[cfg(feature = "client")]
pub mod openai_responses;
#[cfg(feature = "tokens")]
pub mod tokens;
