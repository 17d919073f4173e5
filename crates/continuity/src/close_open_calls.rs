//! Closing what a crash or a stop left open.

use throughline_conversation::{Entry, EntryKind, Message, View, missing_result};

/// What the model reads where a turn was stopped, by the user or by a deadline.
const STOPPED: &str = "[The turn was stopped here, before it was finished.]";

/// What the model reads after an answer that announced a tool call without one.
const NO_CALL: &str = "[Your answer ended as if a tool call followed, and none arrived. Make the call now, or finish your answer.]";

/// The message that answers the calls which were cut off, when the view ends with such calls.
///
/// No provider takes a call without a result, so a resumed session appends this before anything else is said.
/// Once it is in the log, no call is open.
#[must_use]
pub fn close_open_calls(view: &View) -> Option<Message> {
    let open = view.open_calls();
    (!open.is_empty()).then(|| Message::results(open.iter().map(|id| missing_result(id))))
}

/// The message from the engine that says that a turn was stopped. It stands behind what the model had said until then.
#[must_use]
pub fn stop_note() -> Message {
    Message::user(STOPPED)
}

/// The message that tells the model that its call did not arrive.
#[must_use]
pub fn no_call_note() -> Message {
    Message::user(NO_CALL)
}

/// Returns true if the entry is the message of [`stop_note`].
#[must_use]
pub fn is_stop_note(entry: &Entry) -> bool {
    entry.kind == EntryKind::Notice && *entry.message == stop_note()
}

#[cfg(test)]
mod tests;
