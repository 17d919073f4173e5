//! Anthropic's Messages API.

mod client;
mod compaction;
mod refusals;
mod served_window;

#[cfg(feature = "anthropic-sdk")]
pub use client::AnthropicSdkTransport;
pub use client::{AnthropicModel, served_models, wire_name};
pub use compaction::COMPACTION;
pub use served_window::served_window;
