//! How much the model thinks, by name.

use throughline_text::group_thousands;

/// Levels by name, each with the tokens of thinking that it allows. Models that take levels instead of a number get the one that
/// fits the number.
pub(super) const LEVELS: [(&str, Option<u64>); 4] =
    [("off", None), ("low", Some(2_048)), ("medium", Some(8_192)), ("high", Some(24_576))];

/// The effort in a word or two; `None`: the model does not think.
pub(super) fn in_words(thinking: Option<u64>) -> Option<String> {
    let tokens = thinking?;
    let level = LEVELS.iter().find(|(_, own)| *own == thinking).map(|(name, _)| (*name).to_owned());
    Some(level.unwrap_or_else(|| group_thousands(tokens)))
}
