//! The keys, for whoever asks for help.

/// The table of the keys, as Markdown.
pub const KEYS: &str = include_str!("keys.md");
