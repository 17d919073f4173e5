//! Google's Gemini API, and Gemini Code Assist, which wraps the same messages in an envelope of its own.

#[cfg(feature = "client")]
mod client;
mod decode;
mod encode;
mod errors;
mod signature;
pub(crate) mod validate;

#[cfg(feature = "client")]
pub use client::{CodeAssist, GeminiModel, served_models};
pub use encode::{GeminiOptions, encode};
