//! How much the model thinks, by name.

use throughline_text::group_thousands;

/// Levels by name, each with the tokens of thinking that it allows; `None`: nothing is asked for, and the provider decides. Models
/// that take levels instead of a number get the one that fits the number: low below 2,048 tokens, medium below 8,192.
pub(super) const LEVELS: [(&str, Option<u64>); 5] = [
    ("off", Some(0)),
    ("low", Some(1_024)),
    ("medium", Some(4_096)),
    ("high", Some(24_576)),
    ("default", None),
];

/// The effort in a word or two; `None`: the provider decides.
pub(super) fn in_words(thinking: Option<u64>) -> Option<String> {
    let tokens = thinking?;
    let level = LEVELS.iter().find(|(_, own)| *own == thinking).map(|(name, _)| (*name).to_owned());
    Some(level.unwrap_or_else(|| group_thousands(tokens)))
}
