//! Refusals that another request avoids.

use throughline_completion::ModelError;

/// Returns true if the server does not take the question for encrypted reasoning: its model does not reason, or it does not
/// know the field.
pub(super) fn refuses_seals(error: &ModelError) -> bool {
    let ModelError::InvalidRequest { message } = error else { return false };
    let names = |word: &str| message.contains(word);
    names("Encrypted content is not supported")
        || names("reasoning.encrypted_content")
        || (names("include") && ["nknown", "nsupported", "nrecognized", "xtra"].into_iter().any(names))
}
