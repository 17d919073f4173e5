//! What can go wrong with the session of another agent.

use throughline_replay::RecordingError;

use crate::error::TranscriptError;

/// The result of functions that read, store or answer.
pub type Result<T, E = WatchError> = std::result::Result<T, E>;

/// Why a session of another agent could not be read, stored or answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WatchError {
    /// What was asked for cannot be used. The text says what would be right.
    #[error("{0}")]
    Usage(String),
    /// The transcript is not found.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// The transcript is no recording that can be read.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The storage, the settings or a file failed.
    #[error(transparent)]
    Stored(#[from] throughline_stored::Error),
}

impl WatchError {
    /// [`WatchError::Usage`] with this text.
    #[must_use]
    pub fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// What is not possible as things are.
    pub(crate) fn refused(text: impl Into<String>) -> Self {
        Self::Stored(throughline_stored::Error::Refused(text.into()))
    }
}

impl From<throughline_config::ConfigError> for WatchError {
    fn from(error: throughline_config::ConfigError) -> Self {
        Self::Stored(error.into())
    }
}

impl From<throughline_store::LockError> for WatchError {
    fn from(error: throughline_store::LockError) -> Self {
        Self::Stored(error.into())
    }
}
