//! OpenAI's Responses API.

mod answer;
mod decode;
mod encode;
mod message_head;
pub(crate) mod validate;

pub(crate) use answer::check_answer;
pub use encode::{CACHE_OPTIONS, encode};
