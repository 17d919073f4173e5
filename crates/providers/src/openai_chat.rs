//! OpenAI's Chat Completions API, which nearly every other server speaks too.

mod client;

pub use client::OpenAiChatModel;
