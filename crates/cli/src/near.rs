//! What somebody may have meant who mistyped a word.

use throughline_conversation::edit_distance;

/// Letters that may be wrong, missing, too many or exchanged.
const SLIPS: usize = 2;

/// The nearest of some words, when one is near enough; of several the first. A word of which this is the beginning is near.
pub(crate) fn nearest<'w>(typed: &str, words: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let typed = typed.to_lowercase();
    let letters = typed.chars().count();
    let words: Vec<&str> = words.into_iter().collect();
    let begins = |word: &&&str| letters >= 3 && word.starts_with(&typed);
    let near = words.iter().map(|word| (edit_distance(&typed, word), *word));
    // A short word is near to every other short word.
    let near = near.filter(|(slips, _)| *slips <= SLIPS && *slips * 2 < letters);
    words.iter().find(begins).copied().or_else(|| near.min_by_key(|(slips, _)| *slips).map(|(_, word)| word))
}

#[cfg(test)]
mod tests {
    use super::nearest;

    const WORDS: [&str; 5] = ["/undo", "/redo", "/context", "/compact", "/sessions"];

    #[test]
    fn a_slip_of_the_finger_is_understood() {
        for (typed, meant) in [
            ("/undoo", Some("/undo")),
            ("/unod", Some("/undo")),
            ("/contxt", Some("/context")),
            ("/comapct", Some("/compact")),
            ("/ses", Some("/sessions")),
            ("/Undo", Some("/undo")),
            ("/frobnicate", None),
            ("/x", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, WORDS), meant, "{typed}");
        }
    }
}
