//! Why there is no model to ask.

use crate::terminal::causes;

/// Why there is no model to ask.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectError {
    /// Neither the arguments nor the environment name one, and no local one answers.
    #[error("no model is configured")]
    NoProvider,
    /// What was named cannot be used.
    #[error("{0}")]
    Usage(String),
    /// Anything else.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

impl ConnectError {
    /// The error and its causes in one line.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Other(error) => causes(error),
            other => other.to_string(),
        }
    }
}
