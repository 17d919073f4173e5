//! Ollama's own API: chat with local models, and the models themselves.

mod client;
mod errors;
mod management;

pub use client::OllamaModel;
pub use errors::OllamaError;
pub use management::{LocalModel, LocalModelInfo, Ollama, PullProgress};
