//! Anthropic's Messages API.

#[cfg(feature = "client")]
mod client;
#[cfg(feature = "client")]
mod compaction;
mod decode;
mod encode;
mod errors;
mod provider_items;
pub(crate) mod validate;

#[cfg(feature = "anthropic-sdk")]
pub use client::AnthropicSdkTransport;
#[cfg(feature = "client")]
pub use client::{AnthropicModel, served_models};
#[cfg(feature = "client")]
pub use compaction::COMPACTION;
pub use encode::{Options, THINKING_BINDING, encode, encode_with};
