//! Model providers: clients, the table of models, and exact token counters.
//!
//! - **client**: [`anthropic::AnthropicModel`] and its neighbours implement `completion`'s port `LanguageModel`: they send the
//!   bodies of `wire` and read its events. `http` holds what they share: keys that are never shown, addresses, and the port
//!   `Transport` to the network.
//! - [`models`] is the table of what models can hold and what they cost.
//! - [`tokens`] counts what OpenAI's models count, exactly.
//!
//! Each client is a feature, and so are the counters. Without a client and the feature `http` this crate opens no connection and builds
//! without an HTTP library; `endpoint` alone has addresses and keys.

#[cfg(feature = "anthropic")]
pub mod anthropic;
#[cfg(feature = "gemini")]
pub mod gemini;
#[cfg(feature = "endpoint")]
#[cfg_attr(
    not(all(feature = "anthropic", feature = "gemini", feature = "ollama", feature = "openai")),
    allow(dead_code, unused_imports, reason = "some parts are for one client alone")
)]
pub mod http;
pub mod models;
#[cfg(feature = "ollama")]
pub mod ollama;
#[cfg(feature = "openai")]
pub mod openai;
#[cfg(feature = "openai")]
pub mod openai_chat;
#[cfg(feature = "openai")]
pub mod openai_responses;
#[cfg(any(feature = "anthropic", feature = "openai"))]
mod served_window;
#[cfg(feature = "tokens")]
pub mod tokens;

#[cfg(any(feature = "anthropic", feature = "openai"))]
pub use served_window::ServedWindow;
