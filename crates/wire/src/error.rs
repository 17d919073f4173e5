//! Why a response is no answer.

use throughline_completion::ModelError;

use crate::wire::Wire;

/// Why a response of a provider is no complete answer.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// A part of the body is not what the API sends.
    #[error("this is no answer of {wire}: {place} {fault}")]
    Shape {
        /// The protocol that was expected.
        wire: Wire,
        /// The part, for example `content[2].input`.
        place: String,
        /// What is wrong with it, for example `is not an object`.
        fault: &'static str,
    },
    /// The provider reports an error, or the answer broke off.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl From<WireError> for ModelError {
    fn from(error: WireError) -> Self {
        match error {
            WireError::Model(error) => error,
            shape @ WireError::Shape { .. } => Self::InvalidRequest { message: shape.to_string() },
        }
    }
}
