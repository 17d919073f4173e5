//! Why a plugin or a marketplace cannot be used.

use std::error::Error as StdError;

/// The result of this crate's functions.
pub(crate) type Result<T, E = PluginError> = std::result::Result<T, E>;

/// Why a plugin or a marketplace cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PluginError {
    /// What was asked for is no place of a marketplace, or is not in one. The text says what would be right.
    #[error("{0}")]
    Usage(String),
    /// A file of a plugin or a marketplace cannot be used. The text names it and the fix.
    #[error("{0}")]
    Refused(String),
    /// An operation failed; the source says why.
    #[error("{attempt}")]
    Failed {
        /// What was attempted.
        attempt: String,
        /// Why it failed.
        #[source]
        source: Box<dyn StdError + Send + Sync>,
    },
}

impl PluginError {
    pub(crate) fn refused(text: impl Into<String>) -> Self {
        Self::Refused(text.into())
    }
}

/// Adds what was attempted to an error.
pub(crate) trait Attempt<T> {
    /// The error says what was attempted, and has the old one as its source.
    fn attempt(self, text: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<Box<dyn StdError + Send + Sync>>> Attempt<T> for std::result::Result<T, E> {
    fn attempt(self, text: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| PluginError::Failed { attempt: text(), source: error.into() })
    }
}
