//! Ollama's own chat API.

mod answer;
mod decode;
mod encode;
mod options;
pub(crate) mod validate;

pub(crate) use answer::check_answer;
pub use encode::encode;
pub use options::{OllamaOptions, THINK, think};
