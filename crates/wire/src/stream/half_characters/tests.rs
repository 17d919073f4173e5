//! Halves of characters in one piece and over two.

use serde_json::Value;

use super::HalfCharacters;

fn texts(pieces: &[&str]) -> Vec<String> {
    let mut halves = HalfCharacters::default();
    let text = |piece: &&str| {
        let value: Value = serde_json::from_str(&halves.joined(piece)).unwrap();
        value["t"].as_str().unwrap_or_default().to_owned()
    };
    pieces.iter().map(text).collect()
}

#[test]
fn halves_over_two_pieces_become_one_character() {
    assert_eq!(texts(&[r#"{"t":"x \ud83d"}"#, r#"{"t":"\ude00 y"}"#]), ["x ", "😀 y"]);
    // Something without a text may come between the pieces, but not within the pair.
    assert_eq!(
        texts(&[r#"{"t":"\uD83D"}"#, r#"{"t":"\uDE00\ud83d"}"#, r#"{"t":"\ude01"}"#]),
        ["", "😀", "😁"]
    );
}

#[test]
fn a_half_without_the_other_one_is_a_replacement() {
    assert_eq!(texts(&[r#"{"t":"a \ud83d b"}"#]), ["a \u{fffd} b"]);
    assert_eq!(texts(&[r#"{"t":"\ude00 b"}"#]), ["\u{fffd} b"]);
    assert_eq!(texts(&[r#"{"t":"a\ud83d"}"#, r#"{"t":" b"}"#]), ["a", " b"]);
}

#[test]
fn everything_else_is_unchanged() {
    let kept = r#"{"t":"a \\ud83d \n \u00e9 \ud83d\ude00 \"q\\"}"#;
    assert_eq!(texts(&[kept]), ["a \\ud83d \n é 😀 \"q\\"]);
    assert_eq!(HalfCharacters::default().joined(kept), kept);
}
