//! What is said about a session that cannot be opened.

use throughline_conversation::error_chain;
use throughline_store::LockError;

/// The error in one line; for a session that another process has open, with the way that is left.
pub(crate) fn refusal(error: &anyhow::Error) -> String {
    let text = error_chain(error.as_ref());
    match error.chain().find_map(|cause| cause.downcast_ref::<LockError>()) {
        Some(LockError::Held { session, .. }) => {
            format!("{text}; or go on in a copy of it: throughline --resume {session} --fork")
        }
        _ => text,
    }
}
