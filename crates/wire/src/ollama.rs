//! Ollama's own chat API.

mod decode;
mod encode;
pub(crate) mod validate;

pub use encode::encode;
