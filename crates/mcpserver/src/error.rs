//! What can go wrong.

use std::error::Error;
use std::io;

/// Why a call has no answer. The text tells the model what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CallError {
    /// The call asks for something that does not exist, or in another form than the schema.
    #[error("{0}")]
    Input(String),
    /// Storage or another part failed.
    #[error(transparent)]
    Failed(Box<dyn Error + Send + Sync>),
}

impl CallError {
    pub(crate) fn input(text: impl Into<String>) -> Self {
        Self::Input(text.into())
    }

    pub(crate) fn failed(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(error.into())
    }
}

impl From<throughline_stored::Error> for CallError {
    fn from(error: throughline_stored::Error) -> Self {
        Self::failed(error)
    }
}

/// Why the server could not begin.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The client ended, or wrote something else than the handshake of MCP.
    #[error("no MCP client began a session: {0}")]
    Handshake(String),
    /// The port cannot be used.
    #[error(
        "cannot listen on port {port} of the loopback interface; name another one, or 0 for any that is free"
    )]
    Port {
        /// The port.
        port: u16,
        /// Why not.
        source: io::Error,
    },
    /// The task that serves the client ended in a panic.
    #[error("the server ended early: {0}")]
    Ended(String),
}
