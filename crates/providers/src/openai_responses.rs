//! OpenAI's Responses API.

#[cfg(feature = "client")]
mod client;
#[cfg(feature = "client")]
mod compaction;
mod decode;
mod encode;
#[cfg(feature = "client")]
mod errors;
mod message_head;
pub(crate) mod validate;

#[cfg(feature = "client")]
pub use client::OpenAiResponsesModel;
pub use encode::encode;
