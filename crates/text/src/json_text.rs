//! JSON as text for readers that take lines and control characters literally.

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

#[cfg(test)]
mod tests;
