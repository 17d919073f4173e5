//! OpenAI's Chat Completions API, which nearly every other server speaks too.

mod client;
mod refusals;

pub use client::OpenAiChatModel;
