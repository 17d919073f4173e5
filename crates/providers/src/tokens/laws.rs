//! What holds for every text.

use bpe_openai::{Tokenizer, cl100k_base, o200k_base};
use proptest::prelude::*;
use throughline_conversation::TokenCounter;

use super::class::{self, Classes};
use super::remembered::Remembered;
use super::runs::Runs;
use super::splitter::Splitter;
use super::{AppendCounter, BpeCounter, Encoding, corpus};

const BOTH: [Encoding; 2] = [Encoding::O200k, Encoding::Cl100k];

/// The library's own tokenizer, which splits by the encoding's regular expression.
fn by_expression(encoding: Encoding) -> &'static Tokenizer {
    match encoding {
        Encoding::O200k => o200k_base(),
        Encoding::Cl100k => cl100k_base(),
    }
}

fn same_pieces(encoding: Encoding, text: &str) -> bool {
    let mut expected = by_expression(encoding).split(text);
    let mut same = true;
    Splitter::new(encoding).each(text, |piece| same &= expected.next() == Some(piece));
    same && expected.next().is_none()
}

fn pieces(encoding: Encoding, text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    Splitter::new(encoding).each(text, |piece| pieces.push(piece));
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
        for encoding in BOTH {
            assert!(same_pieces(encoding, &text), "{encoding:?} {text:?}: {:?}", pieces(encoding, &text));
        }
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
        for encoding in BOTH {
            assert!(same_pieces(encoding, &text), "{encoding:?} {c:?}: {:?}", pieces(encoding, &text));
        }
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

fn encodings() -> impl Strategy<Value = Encoding> {
    prop::sample::select(BOTH.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_counts_as_the_library_counts_it(text in texts(), encoding in encodings()) {
        prop_assert_eq!(BpeCounter::new(encoding).text(&text), by_expression(encoding).count(text.as_str()) as u64);
    }

    #[test]
    fn appending_counts_as_the_whole_does(text in texts(), cuts in prop::collection::vec(0_usize..400, 0..30), encoding in encodings()) {
        let mut counter = AppendCounter::new(encoding);
        let (mut from, whole) = (0, BpeCounter::new(encoding));
        for length in cuts.into_iter().chain([text.len()]) {
            let to = text.floor_char_boundary((from + length).min(text.len()));
            counter.push(text.get(from..to).unwrap());
            let so_far = text.get(..to).unwrap();
            prop_assert_eq!(counter.tokens(), whole.text(so_far), "after {} bytes of {:?}", to, text);
            from = to;
        }
    }

    #[test]
    fn a_piece_with_runs_counts_as_its_tokens_do(
        runs in prop::collection::vec(("[-=*/#_+.~\ta]", 1_usize..1_500), 1..5),
        encoding in encodings(),
    ) {
        let bytes: Vec<u8> = runs.iter().flat_map(|(c, times)| c.repeat(*times).into_bytes()).collect();
        let tables = &by_expression(encoding).bpe;
        let tokens = tables.count(&bytes) as u64;
        prop_assert!(Runs::default().count(tables, &bytes).is_none_or(|counted| counted == tokens));
        prop_assert_eq!(Remembered::lend(encoding, |known| known.count(&bytes)), tokens);
    }
}

#[test]
fn appending_one_character_at_a_time_counts_as_the_whole_does() {
    for encoding in BOTH {
        for (name, text) in corpus::real().into_iter().chain(corpus::hostile()) {
            let (mut counter, mut so_far) = (AppendCounter::new(encoding), String::new());
            let check = if text.len() > 150 { 211 } else { 1 };
            for (number, c) in text.chars().enumerate() {
                counter.push(c.encode_utf8(&mut [0; 4]));
                so_far.push(c);
                if number % check == 0 {
                    assert_eq!(
                        counter.tokens(),
                        BpeCounter::new(encoding).text(&so_far),
                        "{name}: {so_far:?}"
                    );
                }
            }
            assert_eq!(counter.tokens(), BpeCounter::new(encoding).text(&text), "{name}");
        }
    }
}

#[test]
fn more_different_words_than_are_remembered_count_as_the_library_counts_them() {
    let words = |from: usize| {
        (from..from + 20_000).map(|number| format!(" w{}x", number * 7_919)).collect::<String>()
    };
    // By turns, so that what is remembered of one encoding could be taken for the other's.
    for text in [words(0), words(10_000), " w".repeat(3_000)] {
        for encoding in BOTH {
            assert_eq!(
                BpeCounter::new(encoding).text(&text),
                by_expression(encoding).count(text.as_str()) as u64
            );
        }
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
    for encoding in BOTH {
        let tables = &by_expression(encoding).bpe;
        for end in [5_001, 5_301, 5_302, text.len()] {
            let bytes = &text.as_bytes()[..end];
            assert_eq!(
                Runs::default().count(tables, bytes),
                Some(tables.count(bytes) as u64),
                "{encoding:?} {end}"
            );
        }
    }
}
