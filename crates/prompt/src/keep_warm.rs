//! The request that keeps a prompt cache warm.

/// The question of a request that is sent only so that the prompt cache is read.
pub const KEEP_WARM: &str = include_str!("keep_warm.md");
