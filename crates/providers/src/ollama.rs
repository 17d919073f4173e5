//! Ollama's own API: chat with local models, and the models themselves.

#[cfg(feature = "client")]
mod client;
mod decode;
mod encode;
#[cfg(feature = "client")]
mod errors;
#[cfg(feature = "client")]
mod management;
pub(crate) mod validate;

#[cfg(feature = "client")]
pub use client::OllamaModel;
pub use encode::encode;
#[cfg(feature = "client")]
pub use errors::OllamaError;
#[cfg(feature = "client")]
pub use management::{LocalModel, LocalModelInfo, Ollama, PullProgress};
