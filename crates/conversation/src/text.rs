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
