//! OpenAI's Chat Completions API, which nearly every other server speaks too.

#[cfg(feature = "client")]
mod client;
mod decode;
mod encode;
#[cfg(feature = "client")]
mod errors;
pub(crate) mod validate;

#[cfg(feature = "client")]
pub use client::OpenAiChatModel;
pub use encode::encode;
