//! OpenAI's Responses API.

mod client;
mod compaction;
mod errors;

pub use client::OpenAiResponsesModel;
