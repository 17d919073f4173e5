//! The user's words stay verbatim, and within their budget.

use expect_test::expect;
use proptest::prelude::*;
use throughline_conversation::TokenCounter;
use throughline_testkit::WordCounter;

use super::*;
use crate::testing::words;

fn said(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn the_first_and_the_newest_are_kept() {
    let texts = said(&["fix it", "one two three four five six", "and\n\nthat too"]);
    expect![[r#"
        > fix it

        > and
        >
        > that too"#]]
    .assert_eq(&quote(&texts, 10, &WordCounter));
}

#[test]
fn a_first_request_that_is_too_long_is_cut_in_its_middle() {
    let texts = vec![words(100), "keep going".to_owned()];
    expect![[r#"
        > w0 w1 w2 w3 w
        > [… 363 bytes left out …]
        > 6 w97 w98 w99

        > keep going"#]]
    .assert_eq(&quote(&texts, 30, &WordCounter));
}

#[test]
fn no_single_text_takes_the_room_of_others() {
    let texts = vec![words(100), words(90), "a short one".to_owned(), "keep going".to_owned()];
    let quoted = quote_within(&texts, 100, 12, &WordCounter);
    let sizes: Vec<u64> = unquote(&quoted).iter().map(|text| WordCounter.text(text)).collect();
    assert!(sizes.len() == 4 && sizes[0] <= 24 && sizes[1] <= 12, "{sizes:?}: {quoted}");
    assert!(quoted.ends_with("> a short one\n\n> keep going"), "{quoted}");
}

#[test]
fn no_words_or_no_budget_give_nothing() {
    assert_eq!(quote(&[], 100, &WordCounter), "");
    assert_eq!(quote(&said(&["a"]), 0, &WordCounter), "");
}

#[test]
fn what_is_said_again_is_quoted_once_where_it_was_said_last() {
    let texts = said(&["fix it", "keep going", "and the tests", "fix it", "keep going"]);
    assert_eq!(unquote(&quote(&texts, 100, &WordCounter)), ["fix it", "and the tests", "keep going"]);
}

proptest! {
    #[test]
    fn what_is_quoted_is_read_back_verbatim(texts in prop::collection::vec("(?s).{1,40}", 0..5)) {
        let quoted = unquote(&quote(&texts, 100_000, &WordCounter));
        // The first stays in its place; of the others the last that says the same.
        let first = texts.first().cloned();
        let stays = |(at, text): &(usize, &String)| {
            *at == 0 || (first.as_ref() != Some(*text) && !texts[at + 1..].contains(text))
        };
        let once: Vec<String> =
            texts.iter().enumerate().filter(stays).map(|(_, text)| text.clone()).collect();
        prop_assert_eq!(quoted, once);
    }

    #[test]
    fn the_budget_is_kept(texts in prop::collection::vec("[a-z \n]{0,300}", 0..6), budget in 0u64..200) {
        let quoted = quote(&texts, budget, &WordCounter);
        let tokens: u64 = unquote(&quoted).iter().map(|text| WordCounter.text(text)).sum();
        prop_assert!(tokens <= budget, "{} > {}", tokens, budget);
    }

    #[test]
    fn a_cut_text_is_never_larger_than_asked(text in "(?s).{0,400}", tokens in 0u64..50) {
        prop_assert!(WordCounter.text(&fit(&text, tokens, &WordCounter)) <= tokens);
    }
}

// F-17
#[test]
fn a_rule_outlives_newer_words() {
    let texts: Vec<String> =
        ["the goal of it all", "never touch vendor/", "keep at a", "keep at b", "keep at c", "keep at d"]
            .map(str::to_owned)
            .to_vec();
    expect![[r#"
        > the goal of it all

        > never touch vendor/

        > keep at c

        > keep at d"#]]
    .assert_eq(&quote(&texts, 15, &WordCounter));
}
