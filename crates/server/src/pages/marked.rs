//! A text in which the words of a search are marked.

use maud::{Markup, html};

/// The text with every place of these words marked. The words are in lower case.
pub(super) fn marked(text: &str, words: &[String]) -> Markup {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    // Lower case may have another length, so places are compared letter by letter.
    let begins = |place: usize, word: &str| -> Option<usize> {
        let mut at = place;
        let mut wanted = word.chars().peekable();
        while wanted.peek().is_some() {
            let (_, letter) = letters.get(at)?;
            for lower in letter.to_lowercase() {
                if wanted.next() != Some(lower) {
                    return None;
                }
            }
            at += 1;
        }
        Some(at)
    };
    let (mut parts, mut from, mut place) = (Vec::new(), 0, 0);
    while place < letters.len() {
        let longest =
            words.iter().filter(|word| !word.is_empty()).filter_map(|word| begins(place, word)).max();
        let Some(end) = longest else {
            place += 1;
            continue;
        };
        let byte = |place: usize| letters.get(place).map_or(text.len(), |(byte, _)| *byte);
        parts.push((false, text.get(from..byte(place)).unwrap_or_default()));
        parts.push((true, text.get(byte(place)..byte(end)).unwrap_or_default()));
        (from, place) = (byte(end), end);
    }
    parts.push((false, text.get(from..).unwrap_or_default()));
    html! { @for (is_marked, part) in parts { @if is_marked { mark { (part) } } @else { (part) } } }
}

#[cfg(test)]
mod tests;
