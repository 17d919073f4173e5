//! JSON that a terminal shows.

use super::one_line_json;

#[test]
fn every_character_that_a_terminal_obeys_is_escaped() {
    for letter in ['\u{7f}', '\u{85}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{2028}', '\u{2069}', '\u{feff}'] {
        let escaped = format!("\"a\\u{:04x}é\"", u32::from(letter));
        assert_eq!(one_line_json(&format!("\"a{letter}é\"")), escaped);
    }
    assert_eq!(one_line_json("\"…é°\""), "\"…é°\"");
}
