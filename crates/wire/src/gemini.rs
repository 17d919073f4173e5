//! Google's Gemini API, and Gemini Code Assist, which wraps the same messages in an envelope of its own.

mod answer;
mod decode;
mod encode;
mod errors;
mod signature;
pub(crate) mod validate;

pub(crate) use answer::check_answer;
pub use encode::{GeminiOptions, encode, refused_budget};
