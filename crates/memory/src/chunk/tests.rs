//! Pieces: small enough, with their true lines, and nothing lost between them.

use proptest::prelude::*;

use super::{CHUNK_CHARS, Chunk, chunks};

fn lines(text: &str) -> Vec<(u64, u64)> {
    chunks(text).iter().map(|chunk| (chunk.first_line, chunk.last_line)).collect()
}

// C-09
#[test]
fn a_short_text_is_one_piece() {
    let expected = Chunk { first_line: 3, last_line: 5, text: "  a\n\nb".to_owned() };
    assert_eq!(chunks("\n \n  a\n\nb\n\n"), [expected]);
    assert_eq!(chunks(""), []);
    assert_eq!(chunks(" \n\n\t\n"), []);
}

// C-09
#[test]
fn a_long_text_is_cut_between_paragraphs() {
    let paragraph = |word: &str| format!("{}\n", format!("{word} ").repeat(180).trim_end());
    let text = ["alpha", "bravo", "cargo"].map(paragraph).join("\n");
    let found = chunks(&text);
    assert_eq!(lines(&text), [(1, 1), (1, 3), (3, 5)], "the next one begins with the end of the one before");
    assert!(found[0].text.starts_with("alpha") && found[0].text.ends_with("alpha"));
    assert!(found[1].text.starts_with("alpha") && found[1].text.ends_with("bravo"));
    let carried = found[1].text.split('\n').next().unwrap();
    assert!((50..=100).contains(&carried.chars().count()), "{carried:?}");
}

#[test]
fn a_paragraph_without_end_is_cut_at_lines_words_or_anywhere() {
    let code = "let number = 1;\n".repeat(400);
    assert!(chunks(&code).iter().all(|chunk| chunk.text.ends_with(';') && chunk.text.starts_with("let")));
    let line = "word ".repeat(1_500);
    assert!(chunks(&line).iter().all(|chunk| chunk.text.ends_with("word") && chunk.text.starts_with("word")));
    let solid = "設".repeat(5_000);
    let found = chunks(&solid);
    assert_eq!(
        found.iter().map(|chunk| chunk.text.chars().count()).collect::<Vec<_>>(),
        [2_000, 2_000, 1_200]
    );
}

proptest! {
    // C-09
    #[test]
    fn every_line_is_found_where_it_is_said_to_be(
        pieces in prop::collection::vec(("[a-zé設🎉 ]{0,900}", prop::sample::select(vec!["\n", "\n\n", "\n\n\n", " "])), 0..14),
    ) {
        let text: String = pieces.iter().flat_map(|(piece, end)| [piece.as_str(), end]).collect();
        let all: Vec<&str> = text.split('\n').collect();
        let mut seen = vec![false; all.len()];
        let found = chunks(&text);
        for chunk in &found {
            prop_assert!(chunk.text.chars().count() <= CHUNK_CHARS && !chunk.text.trim().is_empty());
            let own: Vec<&str> = chunk.text.split('\n').collect();
            prop_assert_eq!(own.len() as u64, chunk.last_line - chunk.first_line + 1);
            for (line, number) in own.iter().zip(chunk.first_line..) {
                let at = usize::try_from(number).unwrap() - 1;
                prop_assert!(all[at].contains(line.trim()), "line {number} does not hold {line:?}");
                seen[at] = true;
            }
        }
        for (line, seen) in all.iter().zip(seen) {
            prop_assert!(seen || line.trim().is_empty(), "{line:?} is in no piece");
        }
        let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).count();
        let carried = found.len() * super::OVERLAP_CHARS;
        let sum: usize = found.iter().map(|chunk| letters(&chunk.text)).sum();
        prop_assert!((letters(&text)..=letters(&text) + carried).contains(&sum));
    }
}
