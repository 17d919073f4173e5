//! What holds for every text.

use bpe_openai::o200k_base;
use proptest::prelude::*;
use throughline_conversation::TokenCounter;

use super::BpeCounter;
use super::class::{self, Classes};
use super::remembered::Remembered;
use super::runs::Runs;
use super::splitter::Splitter;

/// Returns true if the text is split as the library splits it, which uses the encoding's regular expression.
fn same_pieces(text: &str) -> bool {
    let mut expected = o200k_base().split(text);
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
    fn any_text_counts_as_the_library_counts_it(text in texts()) {
        prop_assert_eq!(BpeCounter.text(&text), o200k_base().count(text.as_str()) as u64);
    }

    #[test]
    fn a_piece_with_runs_counts_as_its_tokens_do(
        runs in prop::collection::vec(("[-=*/#_+.~\ta]", 1_usize..1_500), 1..5),
    ) {
        let bytes: Vec<u8> = runs.iter().flat_map(|(c, times)| c.repeat(*times).into_bytes()).collect();
        let tables = &o200k_base().bpe;
        let tokens = tables.count(&bytes) as u64;
        prop_assert!(Runs::default().count(tables, &bytes).is_none_or(|counted| counted == tokens));
        prop_assert_eq!(Remembered::lend(|known| known.count(&bytes)), tokens);
    }
}

#[test]
fn more_different_words_than_are_remembered_count_as_the_library_counts_them() {
    let words = |from: usize| {
        (from..from + 20_000).map(|number| format!(" w{}x", number * 7_919)).collect::<String>()
    };
    for text in [words(0), words(10_000), " w".repeat(3_000)] {
        assert_eq!(BpeCounter.text(&text), o200k_base().count(text.as_str()) as u64);
    }
}

#[test]
fn long_runs_join_whatever_stands_between_them() {
    let text = [
        "-".repeat(5_000),
        "=".repeat(301),
        "|".to_owned(),
        "-".repeat(99),
        "+.".repeat(40),
        "#".repeat(2_177),
    ]
    .concat();
    let tables = &o200k_base().bpe;
    for end in [5_001, 5_301, 5_302, text.len()] {
        let bytes = &text.as_bytes()[..end];
        assert_eq!(Runs::default().count(tables, bytes), Some(tables.count(bytes) as u64), "{end}");
    }
}
