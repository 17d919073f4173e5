//! JSON that a terminal shows.

use super::one_line_json;

#[test]
fn every_character_that_a_terminal_obeys_is_escaped() {
    for letter in ['\u{7f}', '\u{85}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{2028}', '\u{2069}', '\u{feff}'] {
        let json = serde_json::to_string(&format!("a{letter}é")).unwrap();
        let line = one_line_json(&json);
        assert!(!line.contains(letter), "{line}");
        assert_eq!(serde_json::from_str::<String>(&line).unwrap(), format!("a{letter}é"));
    }
    assert_eq!(one_line_json("\"…é°\""), "\"…é°\"");
}
