//! Why settings, or the other files of the user, cannot be used.

use std::error::Error as StdError;

use throughline_permission::RuleError;
use throughline_settings::SettingsError;

/// The result of this crate's functions.
pub(crate) type Result<T, E = ConfigError> = std::result::Result<T, E>;

/// Why settings, or the other files of the user, cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A setting cannot be used. The text has its place.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// What was asked for contradicts itself, or names something that does not exist. The text says what would be right.
    #[error("{0}")]
    Usage(String),
    /// What was asked for is not possible as things are. Nothing has changed.
    #[error("{0}")]
    Refused(String),
    /// An argument names a file or a folder that cannot be read.
    #[error("{attempt}")]
    Argument {
        /// What was attempted.
        attempt: String,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
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

impl ConfigError {
    /// Returns true if a setting or an argument cannot be used, so that the user has to write something else.
    #[must_use]
    pub fn is_wrong_usage(&self) -> bool {
        match self {
            Self::Settings(_) | Self::Argument { .. } => true,
            Self::Failed { source, .. } => source.is::<RuleError>(),
            Self::Usage(_) | Self::Refused(_) => false,
        }
    }

    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }
}

/// Adds what was attempted to an error.
pub(crate) trait Attempt<T> {
    /// The error says what was attempted, and has the old one as its source.
    fn attempt(self, text: impl FnOnce() -> String) -> Result<T>;
}

impl<T, E: Into<Box<dyn StdError + Send + Sync>>> Attempt<T> for std::result::Result<T, E> {
    fn attempt(self, text: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|error| ConfigError::Failed { attempt: text(), source: error.into() })
    }
}
