//! Anthropic's Messages API.

mod client;
mod compaction;

#[cfg(feature = "anthropic-sdk")]
pub use client::AnthropicSdkTransport;
pub use client::{AnthropicModel, served_models, wire_name};
pub use compaction::COMPACTION;
