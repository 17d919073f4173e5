//! The words of a text as searches compare them: in one form, identifiers and paths whole and in parts.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use throughline_text::{is_unspaced, split_words, stem};

/// Maximum characters of a term. Longer words are cut; equal words are cut alike.
const MAX_TERM_CHARS: usize = 64;

/// A word of a text, with its parts.
pub(crate) struct SourceWord<'a> {
    /// As written, for example `src/store/lib.rs`.
    pub(crate) text: &'a str,
    /// Its parts in lower case: `src`, `store`, `lib`, `rs`.
    pub(crate) parts: Vec<String>,
}

impl SourceWord<'_> {
    /// Returns true if it is one word of a script with spaces.
    pub(crate) fn is_plain(&self) -> bool {
        self.parts.len() == 1 && !self.is_unspaced()
    }

    /// Returns true if it is, at least partly, in a script without spaces between words.
    pub(crate) fn is_unspaced(&self) -> bool {
        self.parts.iter().any(|part| part.starts_with(is_unspaced))
    }

    /// Its parts that are words themselves and not its smallest parts: of a path the names between its slashes.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = SourceWord<'_>> {
        let pieces = self.text.split(['/', ':', '@']).filter(|piece| *piece != self.text);
        pieces.map(SourceWord::of).filter(|piece| piece.parts.len() > 1)
    }

    /// The term for the whole word. It does not depend on how the parts are joined.
    pub(crate) fn whole(&self) -> String {
        cut(stem(&self.parts.concat()))
    }

    fn of(text: &str) -> SourceWord<'_> {
        let text = text.trim_matches(is_joint);
        SourceWord { text, parts: split_words(text) }
    }
}

/// Characters that join the parts of identifiers, paths and versions.
fn is_joint(letter: char) -> bool {
    matches!(letter, '_' | '-' | '.' | '/' | ':' | '@')
}

/// The words of a text in order.
pub(crate) fn words(text: &str) -> impl Iterator<Item = SourceWord<'_>> {
    let runs = text.split(|letter: char| !letter.is_alphanumeric() && !is_joint(letter));
    runs.map(SourceWord::of).filter(|word| !word.parts.is_empty())
}

/// The terms that a text is found by, in order, repeated ones included.
///
/// A term consists of letters and digits only, in lower case, without common endings. An identifier or a path gives
/// itself, however it is joined (`max_size`, `maxSize` and `max-size` are the same), and its parts. Scripts without
/// spaces give each character and each two neighbours.
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for word in words(text) {
        terms_of(&word, true, &mut terms);
    }
    terms
}

/// The terms of a question, each once, in order: those of its text without words that say nothing, and without
/// single letters that are only a part of something. `limit` is the most that are taken.
pub(crate) fn query_terms(text: &str, limit: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for word in words(text) {
        if word.is_plain() && is_stop_word(word.text) {
            continue;
        }
        let mut terms = Vec::new();
        terms_of(&word, false, &mut terms);
        for term in terms {
            let part = !word.is_plain() && !term.starts_with(is_unspaced);
            if part && (is_stop_word(&term) || term.chars().count() < 2) {
                continue;
            }
            if seen.insert(term.clone()) {
                found.push(term);
            }
            if found.len() == limit {
                return found;
            }
        }
    }
    found
}

/// What one word gives. `singles`: also each character by itself where the script has no spaces.
fn terms_of(word: &SourceWord<'_>, singles: bool, out: &mut Vec<String>) {
    if word.parts.len() > 1 && !word.is_unspaced() {
        out.push(word.whole());
        out.extend(word.pieces().map(|piece| piece.whole()));
    }
    let mut before: Option<&str> = None;
    for (index, part) in word.parts.iter().enumerate() {
        if !part.starts_with(is_unspaced) {
            before = None;
            out.push(cut(stem(part)));
            continue;
        }
        let next = word.parts.get(index + 1).is_some_and(|next| next.starts_with(is_unspaced));
        if singles || (before.is_none() && !next) {
            out.push(part.clone());
        }
        if let Some(before) = before {
            out.push(format!("{before}{part}"));
        }
        before = Some(part);
    }
}

fn cut(term: String) -> String {
    match term.char_indices().nth(MAX_TERM_CHARS) {
        Some((at, _)) => term.get(..at).unwrap_or(&term).to_owned(),
        None => term,
    }
}

/// Returns true if an English word occurs in nearly every text.
pub(crate) fn is_stop_word(word: &str) -> bool {
    static WORDS: OnceLock<BTreeSet<String>> = OnceLock::new();
    is_in(WORDS.get_or_init(|| listed(include_str!("stop_words.txt"))), word)
}

/// Returns true if a word belongs to the wording of requests and not to their subject.
pub(crate) fn is_request_word(word: &str) -> bool {
    static WORDS: OnceLock<BTreeSet<String>> = OnceLock::new();
    is_in(WORDS.get_or_init(|| listed(include_str!("request_words.txt"))), word)
}

fn is_in(list: &BTreeSet<String>, word: &str) -> bool {
    let word = word.to_lowercase();
    list.contains(&word) || list.contains(&stem(&word))
}

/// The words of a list and their stems; lines that start with `#` say what the list is.
fn listed(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).flat_map(|word| [word.to_owned(), stem(word)]).collect()
}

#[cfg(test)]
mod tests;
