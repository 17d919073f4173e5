//! The keywords of a prompt.

use std::collections::BTreeSet;

use crate::terms::{SourceWord, is_request_word, is_stop_word, words};

/// Minimum letters of a keyword.
const SHORTEST: usize = 3;

/// The words of a prompt that say what it is about, in lower case, each once, in order.
///
/// Left out are words of fewer than three letters, unless they are written like a name (`CI`, `S3`), words that occur
/// in nearly every English text, and words of requests such as "continue", "next", "please" and "fix". Identifiers
/// and paths are kept whole, and their parts count as words too. Of scripts without spaces each two neighbouring
/// characters count.
#[must_use]
pub(crate) fn keywords(prompt: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut take = |word: String| {
        if seen.insert(word.clone()) {
            found.push(word);
        }
    };
    for word in words(prompt) {
        if word.is_unspaced() {
            pairs(&word).into_iter().for_each(&mut take);
        }
        if word.parts.len() > 1 && !word.is_unspaced() && says_something(&word) {
            take(word.text.to_lowercase());
            word.pieces().filter(says_something).for_each(|piece| take(piece.text.to_lowercase()));
        }
        let plain = word.is_plain();
        for part in word.parts.iter().filter(|part| counts(part) || (plain && is_name(word.text))) {
            take(part.clone());
        }
    }
    found
}

/// Returns true if a whole identifier is a useful search term: one of its parts is, or it has a digit (`x86_64`).
fn says_something(word: &SourceWord<'_>) -> bool {
    word.parts.iter().any(|part| counts(part)) || word.text.contains(|letter: char| letter.is_ascii_digit())
}

fn counts(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    letters >= SHORTEST && !is_stop_word(word) && !is_request_word(word)
}

/// `CI`, `DB`: two capitals. `IT` and `OK` are words all the same.
fn is_name(word: &str) -> bool {
    let capitals = word.chars().count() == 2 && word.chars().all(char::is_uppercase);
    capitals && !is_stop_word(word) && !is_request_word(word)
}

fn pairs(word: &SourceWord<'_>) -> Vec<String> {
    let letters: Vec<char> = word.text.chars().collect();
    let pair = |pair: &[char]| -> Option<String> {
        pair.iter().all(|letter| throughline_text::is_unspaced(*letter)).then(|| pair.iter().collect())
    };
    letters.windows(2).filter_map(pair).collect()
}

#[cfg(test)]
mod tests;
