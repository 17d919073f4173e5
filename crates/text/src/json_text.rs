//! JSON as text for readers that take lines and control characters literally.

use std::borrow::Cow;

use crate::display::is_control;

/// JSON with control characters and `more` characters escaped. Programs read the same value: outside of strings JSON is
/// ASCII, and inside an escape means the same character.
#[must_use]
pub fn escaped_json(json: &str, more: impl Fn(char) -> bool) -> String {
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            letter if letter != '\n' && (is_control(letter) || more(letter)) => {
                text.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => text.push(letter),
        }
    }
    text
}

/// JSON on one line. Control characters are escaped, and so are those that some readers take for line ends.
#[must_use]
pub fn one_line_json(json: &str) -> String {
    const SEPARATORS: [char; 2] = ['\u{2028}', '\u{2029}'];
    let is_escaped = |letter: char| SEPARATORS.contains(&letter) || (letter != '\n' && is_control(letter));
    // Each of them begins with one of these bytes, and a look at all bytes is many times faster than one at each character.
    let suspect = |byte: u8| matches!(byte, 0x7f | 0xc2 | 0xe2 | 0xef);
    if !json.bytes().fold(false, |found, byte| found | suspect(byte)) || !json.chars().any(is_escaped) {
        return json.to_owned();
    }
    escaped_json(json, |letter| SEPARATORS.contains(&letter))
}

/// JSON in which each half of a surrogate pair that stands alone is written as U+FFFD, and so is each sequence of bytes that
/// is no UTF-8. Programs that cut a text by UTF-16 units or by bytes write such JSON, which no reader of JSON accepts.
#[must_use]
pub fn whole_characters(json: &[u8]) -> Cow<'_, [u8]> {
    let halves = half_escapes(json);
    if halves.is_empty() {
        return match String::from_utf8_lossy(json) {
            Cow::Borrowed(_) => Cow::Borrowed(json),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        };
    }
    let mut text = json.to_vec();
    for at in halves {
        if let Some(digits) = text.get_mut(at + 2..at + 6) {
            digits.copy_from_slice(b"fffd");
        }
    }
    Cow::Owned(String::from_utf8_lossy(&text).into_owned().into_bytes())
}

/// Where the escapes begin that are half a surrogate pair.
fn half_escapes(json: &[u8]) -> Vec<usize> {
    let (mut halves, mut at) = (Vec::new(), 0);
    while let Some(next) = json.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        at += next;
        let pair = at + 6;
        match (escaped_unit(json, at), escaped_unit(json, pair)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => at = pair + 6,
            (Some(0xd800..=0xdfff), _) => {
                halves.push(at);
                at = pair;
            }
            // The byte after it belongs to the escape.
            _ => at += 2,
        }
    }
    halves
}

/// The UTF-16 unit of the escape `\u` that begins at this byte of a JSON text; `None` if none begins there.
#[must_use]
pub fn escaped_unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests;
