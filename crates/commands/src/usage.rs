//! Wrong usage.

/// Arguments that contradict each other or cannot be used. The text says what would be right.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);
