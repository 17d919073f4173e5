//! JSON as text for readers that take lines and control characters literally.

use throughline_text::is_control;

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

/// JSON on one line. The characters that some readers take for line ends are escaped, too.
#[must_use]
pub fn one_line_json(json: &str) -> String {
    const SEPARATORS: [char; 2] = ['\u{2028}', '\u{2029}'];
    // A search for one character is many times faster than a look at each.
    if !SEPARATORS.iter().any(|separator| json.contains(*separator)) {
        return json.to_owned();
    }
    escaped_json(json, |letter| SEPARATORS.contains(&letter))
}
