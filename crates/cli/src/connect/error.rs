//! Why there is no model to ask.

use throughline_conversation::error_chain;

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
            Self::Other(error) => error_chain(error.as_ref()),
            other => other.to_string(),
        }
    }
}
