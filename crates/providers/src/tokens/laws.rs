//! What holds for every text.

use std::sync::LazyLock;

use fancy_regex::Regex;
use proptest::prelude::*;
use throughline_conversation::TokenCounter;
use tiktoken_rs::{O200K_BASE_PAT_STR, o200k_base_singleton};

use super::class::{self, Classes};
use super::merge::Merger;
use super::remembered::Remembered;
use super::splitter::Splitter;
use super::vocabulary::{NO_TOKEN, Vocabulary};
use super::{BpeCounter, Encoding, TiktokenCounter};

const REFERENCE: TiktokenCounter = TiktokenCounter::new(Encoding::O200k);

/// Returns true if the text is split as the encoding's regular expression splits it.
fn same_pieces(text: &str) -> bool {
    static EXPRESSION: LazyLock<Regex> = LazyLock::new(|| Regex::new(O200K_BASE_PAT_STR).unwrap());
    let mut expected = EXPRESSION.find_iter(text).map(|piece| piece.unwrap().as_str());
    let mut same = true;
    Splitter::new().each(text, |piece| same &= expected.next() == Some(piece));
    same && expected.next().is_none()
}

fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    Splitter::new().each(text, |piece| pieces.push(piece));
    pieces
}

#[test]
fn every_short_text_of_all_kinds_of_characters_is_split_as_the_expression_splits_it() {
    // One of each kind, and each letter that a contraction looks at in its own way.
    let kinds = ['A', 'a', '中', '\u{301}', '1', '\n', ' ', '\t', '\'', '/', '.', 's', 'R', 'e'];
    every_text_of(&kinds, 4);
    // Those between which more than three characters decide.
    every_text_of(&['A', 'a', '中', ' ', '\n', '\''], 6);
}

fn every_text_of(kinds: &[char], longest: u32) {
    let mut text = String::new();
    for number in 0..kinds.len().pow(longest) {
        let mut rest = number;
        text.clear();
        while rest > 0 {
            text.push(kinds[rest % kinds.len()]);
            rest /= kinds.len();
        }
        assert!(same_pieces(&text), "{text:?}: {:?}", pieces(&text));
    }
}

#[test]
fn every_character_is_of_the_kind_that_the_expressions_take_it_for() {
    let classes = Classes::get();
    let (mut seen, mut before) = (0, class::OTHER);
    for c in '\0'..=char::MAX {
        // Both ends of each range, and every 29th between.
        let begins = std::mem::replace(&mut before, classes.of(c)) != before;
        let ends = char::from_u32(u32::from(c) + 1).is_some_and(|next| classes.of(next) != before);
        if !begins && !ends && u32::from(c) % 29 != 0 {
            continue;
        }
        // What a character is shows in company.
        let text = format!("{c}Aa {c} {c}{c}\n{c}a{c}'s 1{c}2 中{c}A.{c}\n");
        assert!(same_pieces(&text), "{c:?}: {:?}", pieces(&text));
        seen += 1;
    }
    assert!(seen > 30_000, "{seen} characters were looked at");
}

/// Text of one kind or of all: what people write, what is repeated, what is random.
fn texts() -> impl Strategy<Value = String> {
    let kinds = "[Aa中\u{301}1\n \t'/.sRevl=-]{0,60}";
    let repeated = ("[-=*/#~ \ta中\n]", 1_usize..700).prop_map(|(c, times)| c.repeat(times));
    let part = prop_oneof![
        kinds,
        repeated,
        any::<String>(),
        "\\PC{0,40}",
        "[ -~]{0,80}",
        "[\\p{Lu}\\p{Lo}\\p{Ll}\\p{M}\\s]{0,30}"
    ];
    prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_counts_as_the_reference_counts_it(text in texts()) {
        prop_assert_eq!(BpeCounter.text(&text), REFERENCE.text(&text));
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_piece_counts_the_same_in_windows_of_any_size(
        runs in prop::collection::vec(("[-=*/#_+.~\ta-z中]", 1_usize..700), 1..24),
        window in 1_024_usize..5_000,
    ) {
        let piece: Vec<u8> = runs.iter().flat_map(|(c, times)| c.repeat(*times).into_bytes()).collect();
        let (mut merger, vocabulary) = (Merger::default(), Vocabulary::get());
        let whole = merger.count_windows(vocabulary, &piece, piece.len());
        prop_assert_eq!(merger.count_windows(vocabulary, &piece, window), whole);
        prop_assert_eq!(Some(merger.count(vocabulary, &piece)), whole);
        prop_assert_eq!(Some(Remembered::lend(|known| known.count(&piece))), whole);
    }
}

#[test]
fn the_vocabulary_has_each_token_of_the_reference_by_its_rank() {
    let (vocabulary, reference) = (Vocabulary::get(), o200k_base_singleton());
    let mut merger = Merger::default();
    for rank in 0..199_998 {
        let bytes = reference.decode_bytes(&[rank]).unwrap();
        assert_eq!(vocabulary.rank(&bytes), rank);
        // The rule by which windows are joined takes this for granted.
        assert_eq!(merger.count(vocabulary, &bytes), 1, "{bytes:?}");
        if let [one, other] = bytes[..] {
            assert_eq!(vocabulary.pair(one, other), rank);
        }
    }
    assert_eq!(vocabulary.rank(b""), NO_TOKEN);
    assert_eq!(vocabulary.rank(&[b'a'; 300]), NO_TOKEN);
}

#[test]
fn more_different_words_than_are_remembered_count_as_the_reference_counts_them() {
    let words = |from: usize| {
        (from..from + 20_000).map(|number| format!(" w{}x", number * 7_919)).collect::<String>()
    };
    for text in [words(0), words(10_000), " w".repeat(3_000)] {
        assert_eq!(BpeCounter.text(&text), REFERENCE.text(&text));
    }
}

#[test]
fn a_piece_of_many_windows_counts_as_the_reference_counts_it() {
    let runs = [
        "-".repeat(5_000),
        "=".repeat(301),
        "|".to_owned(),
        "-".repeat(99),
        "+.".repeat(4_000),
        "#".repeat(12_177),
    ];
    let letters: String = (0..30_000_u64).map(|n| char::from(b'a' + (n * n % 8_191 % 26) as u8)).collect();
    for text in [runs.concat(), letters] {
        assert_eq!(BpeCounter.text(&text), REFERENCE.text(&text));
    }
}
