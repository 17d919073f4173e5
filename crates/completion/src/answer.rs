//! A complete answer of a model.

use throughline_conversation::{Message, Usage};

use crate::detail::AnswerDetails;
use crate::error::ModelError;
use crate::event::{Assembly, CompletionEvent, StopReason};

/// A complete answer: the message, why the model stopped, and what the provider says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The model's message. It may be empty.
    pub message: Message,
    /// Why the model stopped.
    pub stop: StopReason,
    /// Usage as the provider reported it; `None` if it reported none.
    pub usage: Option<Usage>,
    /// What else the provider says about it.
    pub details: AnswerDetails,
}

impl Answer {
    /// The answer that these events add up to. What follows an error is not read.
    ///
    /// # Errors
    /// The first error among them, or [`ModelError::Interrupted`] when they end without a stop reason.
    pub fn from_events(
        events: impl IntoIterator<Item = Result<CompletionEvent, ModelError>>,
    ) -> Result<Self, ModelError> {
        let mut assembly = Assembly::default();
        for event in events {
            assembly.push(event?);
        }
        assembly.finish()
    }
}
