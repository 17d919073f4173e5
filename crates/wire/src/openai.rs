//! The common part of OpenAI's two APIs: options, usage, and the fields that compatible servers add.
//!
//! [`openai_chat`](crate::openai_chat) and [`openai_responses`](crate::openai_responses) are the APIs themselves.

pub(crate) mod native;
pub(crate) mod options;
pub(crate) mod usage;

pub use crate::form::name::CallIdForm;
pub use options::{MOST_TOOLS, MaxTokensField, OpenAiOptions, ThinkingBack};
pub use usage::read_usage;
