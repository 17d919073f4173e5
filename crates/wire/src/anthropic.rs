//! Anthropic's Messages API.

mod decode;
mod encode;
mod errors;
mod provider_items;
mod thinking_form;
pub(crate) mod validate;

pub use encode::{Options, THINKING_BINDING, encode, encode_with};
pub use thinking_form::ThinkingForm;
