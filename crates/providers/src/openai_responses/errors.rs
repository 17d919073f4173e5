//! Refusals that another request avoids.

use throughline_completion::ModelError;
use throughline_wire::openai_responses::CACHE_OPTIONS;

use super::client::COMPARED;
use crate::http::names;

/// Returns true if the server does not take the question for encrypted reasoning: its model does not reason, or it does not
/// know the field.
pub(super) fn refuses_seals(error: &ModelError) -> bool {
    let ModelError::InvalidRequest { message } = error else { return false };
    let names = |word: &str| message.contains(word);
    names("Encrypted content is not supported")
        || names("reasoning.encrypted_content")
        || (names("include") && ["nknown", "nsupported", "nrecognized", "xtra"].into_iter().any(names))
}

/// Returns true if the server does not take cache breakpoints. An error that names only the field of all that is asked of the
/// cache refuses all of it.
pub(super) fn refuses_breakpoints(error: &ModelError) -> bool {
    names(error, &["prompt_cache_breakpoint"]) || names(error, &[CACHE_OPTIONS]) && !names(error, &[COMPARED])
}

/// Returns true if the server does not say why the prompt cache was not reused.
pub(super) fn refuses_comparison(error: &ModelError) -> bool {
    let mode = format!("{CACHE_OPTIONS}.mode");
    names(error, &[COMPARED]) || names(error, &[CACHE_OPTIONS]) && !names(error, &[mode.as_str()])
}
