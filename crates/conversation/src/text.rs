//! Cutting and showing text without breaking a character.

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
