//! Paths that a person wrote in a message.

use throughline_text::cut_end;

/// The paths of a text, in order, repeats included: words with a slash or with an extension.
pub(crate) fn paths(text: &str) -> impl Iterator<Item = &str> {
    /// More is a paste, not a request.
    const LOOK: usize = 20_000;
    cut_end(text, LOOK)
        .split(|letter: char| letter.is_whitespace() || "\"'`()[]{}<>,;*|=".contains(letter))
        .map(|word| word.trim_start_matches('@').trim_end_matches(['.', ':', '!', '?', '/']))
        .map(without_place)
        .filter(|word| is_path(word))
}

/// `src/a.rs:12:3` is about `src/a.rs`.
fn without_place(word: &str) -> &str {
    let is_place = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    match word.split_once(':') {
        Some((path, place)) if place.split(':').all(is_place) => path,
        _ => word,
    }
}

fn is_path(word: &str) -> bool {
    if !(4..=200).contains(&word.len()) || word.contains("://") {
        return false;
    }
    let named = |part: &str| part.chars().any(char::is_alphabetic);
    let file = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let extension = file.rsplit_once('.').is_some_and(|(stem, end)| {
        (1..=6).contains(&end.len())
            && end.starts_with(|first: char| first.is_ascii_lowercase())
            && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && (stem.is_empty() || named(stem))
    });
    // `and/or` is not one: a path without an extension has two slashes, or begins like a path.
    let slashes = word.matches('/').count();
    let rooted = ["/", "./", "../", "~/"].iter().any(|start| word.starts_with(start));
    extension || (named(word) && (slashes >= 2 || (slashes == 1 && rooted)))
}
