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

proptest! {
    #[test]
    fn what_is_quoted_is_read_back_verbatim(texts in prop::collection::vec("(?s).{1,40}", 0..5)) {
        prop_assert_eq!(unquote(&quote(&texts, 100_000, &WordCounter)), texts);
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

/// Words that occur in no other text: `a0 a1 a2 …`.
fn own(letter: &str, count: usize) -> String {
    (0..count).map(|number| format!("{letter}{number}")).collect::<Vec<_>>().join(" ")
}

/// What is quoted, each text by its first word and its tokens.
fn sizes(texts: &[String], budget: u64) -> String {
    let quoted = unquote(&quote(texts, budget, &WordCounter));
    let size = |text: &String| {
        let first = text.split_whitespace().next().unwrap_or("nothing");
        format!("{first} {}", WordCounter.text(text))
    };
    quoted.iter().map(size).collect::<Vec<_>>().join(", ")
}

#[test]
fn rules_have_half_of_what_the_first_text_leaves() {
    let rule = |letter: &str, count: usize| format!("{} never", own(letter, count - 1));
    // Of 20 the first takes 1, so that rules have 9.
    for (rules, newest, expected) in [
        (vec![rule("r", 9)], 12, "go 1, r0 9, n0 10"),
        (vec![rule("r", 10)], 12, "go 1, r 7, n0 12"),
        (vec![rule("o", 4), rule("r", 5)], 14, "go 1, o0 4, r0 5, n0 10"),
        (vec![rule("o", 5), rule("r", 5)], 14, "go 1, r0 5, n0 14"),
    ] {
        let texts = [vec!["go".to_owned()], rules, vec![own("n", newest)]].concat();
        assert_eq!(sizes(&texts, 20), expected);
    }
}

#[test]
fn the_newest_text_goes_before_novel_ones_within_an_eighth() {
    let texts = |newest: &str| vec!["go".to_owned(), own("v", 30), newest.to_owned(), newest.to_owned()];
    // Of 33 the first takes 1, so that the newest text may have 4.
    assert_eq!(sizes(&texts("and so on then"), 33), "go 1, v0 27, and 4");
    assert_eq!(sizes(&texts("and so on with it"), 33), "go 1, v0 30");
}

#[test]
fn a_text_is_cut_to_what_is_left_if_that_is_an_eighth_of_all() {
    let texts = |newest: usize| vec!["go".to_owned(), own("v", 30), own("n", newest)];
    assert_eq!(sizes(&texts(69), 80), "go 1, v0 10, n0 69");
    assert_eq!(sizes(&texts(70), 80), "go 1, n0 70");
    assert_eq!(sizes(&texts(79), 80), "go 1, n0 79");
}

#[test]
fn the_first_text_has_half_of_the_budget_unless_it_is_alone() {
    let first = own("f", 40);
    assert_eq!(sizes(std::slice::from_ref(&first), 40), "f0 40");
    assert_eq!(sizes(&[first.clone(), own("n", 40)], 80), "f0 40, n0 40");
    let quoted = quote(&[first, "on".to_owned()], 78, &WordCounter);
    assert!(quoted.contains("bytes left out") && quoted.ends_with("> on"), "{quoted}");
}

#[test]
fn rules_are_taken_out_of_texts_that_may_be_cut() {
    let long = format!("{}. You must ask first. {}", own("a", 100), own("b", 100));
    let count = |texts: &[String], budget| with_excerpts(texts, budget, budget, &WordCounter).len();
    let alone = std::slice::from_ref(&long);
    assert_eq!((count(alone, 204), count(alone, 203)), (1, 2));
    let first = [long.clone(), "on".to_owned()];
    assert_eq!((count(&first, 408), count(&first, 407), count(&first, 300)), (2, 3, 3));
    assert_eq!(count(&["on".to_owned(), long], 1_000), 3);
    // A text that is a rule as a whole is its own excerpt.
    assert_eq!(count(&said(&["on", "never do this"]), 10), 2);
}

#[test]
fn a_rule_is_not_quoted_apart_from_its_whole_text() {
    let long = format!("{}. You must ask first. {}", own("a", 100), own("b", 100));
    let texts = ["on".to_owned(), long];
    assert_eq!(sizes(&texts, 1_000), "on 1, a0 204");
    let cut = quote(&texts, 60, &WordCounter);
    assert!(cut.starts_with("> on\n\n> a0 ") && cut.ends_with("> […] You must ask first. […]"), "{cut}");
    // A message of its own stays, although another text has the same words.
    assert_eq!(
        unquote(&quote(&said(&["on", "never do this", "so never do this again"]), 100, &WordCounter)),
        ["on", "never do this", "so never do this again"]
    );
}

#[test]
fn a_text_is_cut_only_if_it_is_too_long() {
    let text = words(40);
    assert_eq!(fit(&text, 40, &WordCounter), text);
    expect![[r#"
        w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 w13 w14 w15
        [… 41 bytes left out …]
        26 w27 w28 w29 w30 w31 w32 w33 w34 w35 w36 w37 w38 w39"#]]
    .assert_eq(&fit(&text, 39, &WordCounter).replace(" \n", "\n"));
    assert_eq!(fit(&text, 5, &WordCounter), "");
}
