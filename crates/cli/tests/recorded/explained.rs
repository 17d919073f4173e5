//! Deviations that are right, by what the answer or the deviation is, never by the name of a recording.

/// Why a deviation is right; `None` for one that nothing explains.
pub(crate) fn reason(deviation: &str) -> Option<&'static str> {
    RULES.iter().find(|(begins, _)| deviation.starts_with(begins)).map(|(_, reason)| *reason)
}

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
    ("reasoning alone: ", "no provider takes reasoning back without what it led to"),
    ("refused turn: ", "a refused turn is hidden, because the provider refuses what follows it"),
    (
        "sent back: text: sent , read [theprovider'sown",
        "an answer of the provider's own items alone goes back with a text that names them",
    ),
];
