//! A complete answer of a model.

use throughline_conversation::{Message, Usage};

use crate::detail::AnswerDetails;
use crate::event::StopReason;

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
