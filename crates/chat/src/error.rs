//! Why no session was opened.

use throughline_connect::ConnectError;

/// Why no session was opened.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    /// No model can be asked.
    #[error(transparent)]
    NoModel(#[from] ConnectError),
    /// Everything else: the settings, the storage, or the session that was named.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

impl From<throughline_stored::Error> for ChatError {
    fn from(error: throughline_stored::Error) -> Self {
        Self::Other(error.into())
    }
}
