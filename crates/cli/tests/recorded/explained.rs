//! Deviations that are right, by what the answer or the deviation is, never by the name of a recording.

/// Why a deviation is right; `None` for one that nothing explains.
pub(crate) fn reason(deviation: &str) -> Option<&'static str> {
    RULES.iter().find(|(begins, _)| deviation.starts_with(begins)).map(|(_, reason)| *reason)
}

const UNREPORTED: &str = "each request has a prompt, so a report without one does not say what it cost";

/// How a deviation begins, and why it is right.
const RULES: &[(&str, &str)] = &[
    ("no answer: ", "it is no answer of this API, and the user sees an error"),
    (
        "stream: error: the answer broke off: the server queued",
        "it was asked to answer in the background, which is never asked for here",
    ),
    (
        "document: error: the answer broke off: the server queued",
        "it was asked to answer in the background, which is never asked for here",
    ),
    (
        "ended as \"try_later\": \"the answer broke off: the server queued",
        "it was asked to answer in the background, which is never asked for here",
    ),
    ("stream: usage: sent Some(Usage { input: 0, cache_read: 0, cache_write: 0,", UNREPORTED),
    ("document: usage: sent Some(Usage { input: 0, cache_read: 0, cache_write: 0,", UNREPORTED),
    ("usage: sent Usage { input: 0, cache_read: 0, cache_write: 0,", UNREPORTED),
    ("reasoning alone: ", "no provider takes reasoning back without what it led to"),
    ("refused turn: ", "a refused turn is hidden, because the provider refuses what follows it"),
    (
        "sent back: text: sent , read [theprovider'sown",
        "an answer of the provider's own items alone goes back with a text that names them",
    ),
];
