//! Google's Gemini API, and Gemini Code Assist, which wraps the same messages in an envelope of its own.

mod client;

pub use client::{CodeAssist, GeminiModel, served_models};
