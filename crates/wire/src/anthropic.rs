//! Anthropic's Messages API.

mod answer;
mod citations;
mod decode;
mod encode;
mod errors;
mod provider_items;
mod thinking_form;
pub(crate) mod validate;

pub(crate) use answer::check_answer;
pub use encode::{
    AnthropicOptions, CacheMarkers, LEAST_BUDGET, THINKING_BINDING, encode, encode_with, message_content,
};
pub use thinking_form::ThinkingForm;
