//! Truncation: the start or the end of a text, never in the middle of a character.

/// The longest start of `text` that has at most `bytes` bytes and ends between characters.
#[must_use]
pub fn cut_end(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// The longest end of `text` that has at most `bytes` bytes and starts between characters.
#[must_use]
pub fn cut_start(text: &str, bytes: usize) -> &str {
    let from = text.len().saturating_sub(bytes);
    text.get(text.ceil_char_boundary(from)..).unwrap_or(text)
}

/// The first `chars` characters of `text`, or all of it.
#[must_use]
pub fn first_chars(text: &str, chars: usize) -> &str {
    text.char_indices().nth(chars).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// The last `chars` characters of `text`, or all of it.
#[must_use]
pub fn last_chars(text: &str, chars: usize) -> &str {
    let from = text.char_indices().rev().nth(chars.saturating_sub(1)).map_or(0, |(at, _)| at);
    if chars == 0 { "" } else { text.get(from..).unwrap_or(text) }
}

/// Like [`first_chars`], but ends after a line break if one is in the last quarter of the bytes.
#[must_use]
pub fn first_lines(text: &str, chars: usize) -> &str {
    let text = first_chars(text, chars);
    let near = text.rfind('\n').filter(|at| text.len() - at < text.len() / 4);
    near.and_then(|at| text.get(..=at)).unwrap_or(text)
}

/// Like [`last_chars`], but starts after a line break if one is in the first quarter of the bytes.
#[must_use]
pub fn last_lines(text: &str, chars: usize) -> &str {
    let text = last_chars(text, chars);
    let near = text.find('\n').filter(|at| *at < text.len() / 4);
    near.and_then(|at| text.get(at + 1..)).unwrap_or(text)
}

#[cfg(test)]
mod tests;
