//! The common part of OpenAI's two APIs: options, addresses, usage, and the fields that compatible servers add.
//!
//! [`openai_chat`](crate::openai_chat) and [`openai_responses`](crate::openai_responses) are the APIs themselves.

#[cfg(feature = "client")]
pub(crate) mod endpoint;
pub(crate) mod native;
pub(crate) mod options;
pub(crate) mod usage;

#[cfg(feature = "client")]
pub use endpoint::served_models;
pub use options::{MaxTokensField, OpenAiOptions, ThinkingBack};
