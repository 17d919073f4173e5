//! Closing what a crash left open.

use throughline_conversation::{Message, View, missing_result};

/// The message that answers the calls which were cut off, when the view ends with such calls.
///
/// No provider takes a call without a result, so a resumed session appends this before anything else is said.
/// Once it is in the log there is nothing left to seal.
#[must_use]
pub fn seal(view: &View) -> Option<Message> {
    let open = view.open_calls();
    (!open.is_empty()).then(|| Message::results(open.iter().map(|id| missing_result(id))))
}

#[cfg(test)]
mod tests;
