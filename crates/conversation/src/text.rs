//! Cutting and showing text.

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

/// As [`first_chars`], and only up to the end of the last line when that is near the end: within a quarter of the bytes.
#[must_use]
pub fn first_lines(text: &str, chars: usize) -> &str {
    let text = first_chars(text, chars);
    let near = text.rfind('\n').filter(|at| text.len() - at < text.len() / 4);
    near.and_then(|at| text.get(..=at)).unwrap_or(text)
}

/// As [`last_chars`], and only from the first line's end on when that is near the beginning: within a quarter of the
/// bytes.
#[must_use]
pub fn last_lines(text: &str, chars: usize) -> &str {
    let text = last_chars(text, chars);
    let near = text.find('\n').filter(|at| *at < text.len() / 4);
    near.and_then(|at| text.get(at + 1..)).unwrap_or(text)
}

/// A number with commas between thousands: `48231` is `48,231`.
#[must_use]
pub fn group_thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// An error and its causes in one line, the outermost first. A cause that the text before it tells already is left out:
/// wrappers often repeat what they wrap.
#[must_use]
pub fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let says = cause.to_string();
        if !text.contains(&says) {
            text.push_str(": ");
            text.push_str(&says);
        }
        source = cause.source();
    }
    text
}
