//! Pairs in a line of text.

use std::ops::Range;

use super::Pair;

const MAX_KEY: usize = 60;
const MAX_VALUE: usize = 120;
/// Words of a key, and of the value of a sign.
const KEY_WORDS: usize = 4;
const VALUE_WORDS: usize = 4;
/// Around names, in prose and lists.
const QUOTES: [char; 5] = ['"', '\'', '`', '*', ' '];

/// Adds the pairs of a line that begins at this byte of the text.
pub(super) fn of_line(at: usize, line: &str, found: &mut Vec<Pair>) {
    for segment in segments(line) {
        let Some(text) = line.get(segment.clone()) else { continue };
        let from = at + segment.start;
        let before = found.len();
        tokens(from, text, found);
        if found.len() == before
            && let Some((key, value)) = split(text)
        {
            let start = from + text.find(&key).unwrap_or_default();
            let end = from + text.trim_end().len();
            found.push(Pair { key, value, at: start..end });
        }
    }
}

/// The parts of a line between semicolons, ends of sentences, and commas where each part has a sign of its own.
fn segments(line: &str) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = std::iter::once(0..line.len()).collect();
    for mark in ["; ", ";", ". "] {
        parts = parts.into_iter().flat_map(|part| cut(line, part, mark)).collect();
    }
    let with_commas = |part: Range<usize>| {
        let pieces = cut(line, part.clone(), ", ");
        let signed = pieces.iter().all(|piece| line.get(piece.clone()).is_some_and(has_sign));
        if signed { pieces } else { vec![part] }
    };
    parts.into_iter().flat_map(with_commas).collect()
}

fn cut(line: &str, part: Range<usize>, mark: &str) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = part.start;
    for (at, _) in line.get(part.clone()).unwrap_or_default().match_indices(mark) {
        let at = part.start + at;
        pieces.push(start..at);
        start = at + mark.len();
    }
    pieces.push(start..part.end);
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn has_sign(text: &str) -> bool {
    text.contains(['=', '→']) || text.contains("->") || text.contains(": ")
}

/// Two or more words `k=v` with blanks between them, as in lines of a log.
fn tokens(at: usize, text: &str, found: &mut Vec<Pair>) {
    let mut next = 0;
    let words = text.split(' ').filter_map(|word| {
        let start = next;
        next += word.len() + 1;
        let (key, value) = word.split_once('=')?;
        let (key, value) = checked(key, value)?;
        Some(Pair { key, value, at: at + start..at + start + word.len() })
    });
    let words: Vec<Pair> = words.collect();
    if words.len() > 1 {
        found.extend(words);
    }
}

/// The key and the value of a text that says one: at an arrow, else at `=`, else at a colon.
fn split(text: &str) -> Option<(String, String)> {
    for arrow in ["->", "=>", "→"] {
        if let Some((key, value)) = text.split_once(arrow) {
            return checked(key_of(key), value);
        }
    }
    if let Some((key, value)) = text.split_once('=') {
        let compares = key.ends_with(['!', '<', '>', '+', '-', '*', '/', ':']) || value.starts_with('=');
        return if compares { None } else { checked(key_of(key), value) };
    }
    let (key, value) = text.rsplit_once(": ")?;
    checked(key_of(key), value)
}

/// Behind an introduction that ends with a colon; the last word where more words stand before a sign.
fn key_of(before: &str) -> &str {
    let behind = before.rsplit_once(": ").map_or(before, |(_, behind)| behind);
    let many = behind.split_whitespace().count() > KEY_WORDS;
    match many {
        true if !behind.ends_with(' ') => behind.rsplit(char::is_whitespace).next().unwrap_or(behind),
        _ => behind,
    }
}

fn checked(key: &str, value: &str) -> Option<(String, String)> {
    let key = key.trim().trim_start_matches(['-', '*', '•', '+', '#', '>', ' ']).trim_matches(QUOTES);
    let value = value.trim().trim_end_matches(['.', ',', ';']).trim_matches(QUOTES);
    let fits = |text: &str, bytes: usize, words: usize| {
        !text.is_empty()
            && text.len() <= bytes
            && text.split_whitespace().count() <= words
            && !text.contains(['(', ')', '{', '}', '<', '>', '=', '|', '$'])
    };
    let is_key =
        fits(key, MAX_KEY, KEY_WORDS) && key.contains(char::is_alphabetic) && !key.contains(['"', ',', ';']);
    let is_value = fits(value, MAX_VALUE, VALUE_WORDS) && value.contains(char::is_alphanumeric);
    (is_key && is_value).then(|| (key.to_owned(), value.to_owned()))
}
