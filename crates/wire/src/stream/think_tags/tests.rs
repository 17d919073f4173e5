//! Texts with and without tags, in pieces of every size.

use super::ThinkTags;

/// Thinking and text of a text that comes in pieces of this many characters.
fn split(text: &str, size: usize) -> (String, String) {
    let letters: Vec<char> = text.chars().collect();
    let (mut tags, mut found) = (ThinkTags::default(), (String::new(), String::new()));
    let mut pieces: Vec<(bool, String)> = Vec::new();
    for piece in letters.chunks(size) {
        pieces.extend(tags.push(&piece.iter().collect::<String>()));
    }
    pieces.push(tags.finish());
    for (thinks, piece) in pieces {
        let side = if thinks { &mut found.0 } else { &mut found.1 };
        side.push_str(&piece);
    }
    found
}

#[test]
fn pieces_do_not_matter() {
    for size in [1, 2, 3, 7, 100] {
        let (thinking, text) = split("\n<think>\nplan <b> é\n</think>\n\nDone </think> here.", size);
        assert_eq!((thinking.trim(), text.as_str()), ("plan <b> é", "Done </think> here."), "{size}");
        assert_eq!(split("a <think> b", size), (String::new(), "a <think> b".to_owned()));
        assert_eq!(split("<thin air", size), (String::new(), "<thin air".to_owned()));
        assert_eq!(split("  ", size), (String::new(), "  ".to_owned()));
        assert_eq!(split("<think>cut </thi", size), ("cut </thi".to_owned(), String::new()));
    }
}
