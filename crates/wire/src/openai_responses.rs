//! OpenAI's Responses API.

mod decode;
mod encode;
mod message_head;
pub(crate) mod validate;

pub use encode::{CACHE_OPTIONS, encode};
