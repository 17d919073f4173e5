//! JSON that a terminal shows.

use super::{one_line_json, whole_characters};

#[test]
fn every_character_that_a_terminal_obeys_is_escaped() {
    for letter in ['\u{7f}', '\u{85}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{2028}', '\u{2069}', '\u{feff}'] {
        let escaped = format!("\"a\\u{:04x}é\"", u32::from(letter));
        assert_eq!(one_line_json(&format!("\"a{letter}é\"")), escaped);
    }
    assert_eq!(one_line_json("\"…é°\""), "\"…é°\"");
}

#[test]
fn half_a_pair_and_bytes_that_are_no_text_become_the_replacement_character() {
    let whole = |json: &[u8]| String::from_utf8(whole_characters(json).into_owned()).unwrap();
    let same = r#"{"a":"\ud83d\ude00 \\ud83d \u00e9 \\","b":"\\\\ud83d"}"#;
    assert_eq!(whole(same.as_bytes()), same, "whole pairs, and text that only looks like an escape");
    assert_eq!(whole(br#""x\ud83d""#), r#""x\ufffd""#);
    assert_eq!(
        whole(br#""\ude00\ud83d\ud83d\ude00\uD83Dn\\\ude00""#),
        r#""\ufffd\ufffd\ud83d\ude00\ufffdn\\\ufffd""#
    );
    assert_eq!(whole(b"\"a\xf0\x9f\""), "\"a\u{fffd}\"");
    assert_eq!(whole(br#""\ud83"#), r#""\ud83"#, "an escape that is cut stays");
}
