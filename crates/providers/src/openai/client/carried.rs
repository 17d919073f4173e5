//! The way of a response out of async-openai.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use async_openai::error::OpenAIError;

use crate::client::{HttpAnswer, TransportError};

type Sent = Result<HttpAnswer, TransportError>;

/// A response, dressed as an error.
///
/// Behind a success the library reads the response itself: into a queue without limit, by a task of its own, and a
/// connection that is cut looks like the end of the answer. An error of the layer that sends is passed on as it is.
/// So the response travels as one, and whoever asked reads it piece by piece.
pub(super) struct Carried(Mutex<Option<Sent>>);

impl Carried {
    pub(super) fn pack(sent: Sent) -> OpenAIError {
        OpenAIError::Boxed(Box::new(Self(Mutex::new(Some(sent)))))
    }

    /// Takes the response out of what the library gives.
    pub(super) fn unpack<T>(given: Result<T, OpenAIError>) -> Sent {
        let error = match given {
            Err(OpenAIError::Boxed(error)) => match error.downcast::<Self>() {
                Ok(carried) => carried.0.into_inner().unwrap_or_else(PoisonError::into_inner),
                Err(other) => Some(Err(TransportError::Other(other))),
            },
            Err(other) => Some(Err(TransportError::Other(Box::new(other)))),
            Ok(_) => None,
        };
        error.unwrap_or_else(|| Err(TransportError::Other("async-openai gave no response".into())))
    }
}

impl fmt::Debug for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Carried")
    }
}

impl fmt::Display for Carried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a response on its way")
    }
}

impl std::error::Error for Carried {}
