//! The message that continues a turn which the model has not ended.

use crate::message::Message;

const CONTINUE: &str = "[continue]";

/// The message that asks the model to continue a turn that was stopped or that the provider has paused: a request has to
/// end with the user's side.
#[must_use]
pub fn continue_note() -> Message {
    Message::user(CONTINUE)
}

/// Returns true if this is the message of [`continue_note`]. A provider that continues a paused turn from the model's own
/// message is sent the transcript without it.
#[must_use]
pub fn is_continue_note(message: &Message) -> bool {
    *message == continue_note()
}
