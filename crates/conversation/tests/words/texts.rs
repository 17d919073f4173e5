//! Cutting and showing text.

use std::error::Error;
use std::fmt;

use proptest::prelude::*;
use throughline_conversation::{
    cut_end, cut_start, edit_distance, error_chain, group_thousands, is_unspaced, split_words, stem,
};

// S3-09
#[test]
fn thousands_are_set_apart() {
    let shown = [0, 7, 999, 1_000, 48_231, 100_000, 1_234_567, u64::MAX].map(group_thousands);
    let expected = ["0", "7", "999", "1,000", "48,231", "100,000", "1,234,567", "18,446,744,073,709,551,615"];
    assert_eq!(shown, expected);
}

#[test]
fn a_character_is_kept_whole_or_left_out() {
    assert_eq!((cut_end("añb", 2), cut_end("añb", 3), cut_end("añb", 0)), ("a", "añ", ""));
    assert_eq!((cut_start("añb", 2), cut_start("añb", 3), cut_start("añb", 9)), ("b", "ñb", "añb"));
    assert_eq!((cut_end("🎉", 3), cut_start("🎉", 3)), ("", ""));
}

#[test]
fn slips_are_counted() {
    for (from, to, slips) in [
        ("kitten", "sitting", 3),
        ("", "abc", 3),
        ("abc", "", 3),
        ("same", "same", 0),
        ("unod", "undo", 1),
        ("ab", "ba", 1),
        ("ca", "abc", 3),
        ("größe", "grösse", 2),
    ] {
        assert_eq!((edit_distance(from, to), edit_distance(to, from)), (slips, slips), "{from} {to}");
    }
}

/// Something that went wrong, and why.
#[derive(Debug)]
struct Failed(&'static str, Option<Box<Failed>>);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Failed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.1.as_deref().map(|cause| cause as &dyn Error)
    }
}

/// The line of an error that says `text`, over causes that say these, the outermost first.
fn told(text: &'static str, causes: &[&'static str]) -> String {
    let cause = causes.iter().rev().fold(None, |cause, text| Some(Box::new(Failed(text, cause))));
    error_chain(&Failed(text, cause))
}

#[test]
fn an_error_tells_its_causes_after_itself() {
    assert_eq!(told("could not ask", &["no connection", "refused"]), "could not ask: no connection: refused");
    assert_eq!(told("could not ask", &[]), "could not ask");
}

#[test]
fn a_cause_that_was_told_already_is_left_out_and_its_own_cause_is_not() {
    assert_eq!(told("could not ask: refused", &["refused", "no route"]), "could not ask: refused: no route");
    assert_eq!(told("refused", &["refused"]), "refused");
}

proptest! {
    #[test]
    fn a_cut_is_as_long_as_it_may_be_and_never_longer(text in "\\PC{0,40}|[aé🎉世]{0,20}", bytes in 0usize..80) {
        let (start, end) = (cut_end(&text, bytes), cut_start(&text, bytes));
        prop_assert!(text.starts_with(start) && text.ends_with(end));
        for (cut, next) in [
            (start, text.strip_prefix(start).and_then(|rest| rest.chars().next())),
            (end, text.strip_suffix(end).and_then(|rest| rest.chars().next_back())),
        ] {
            prop_assert!(cut.len() <= bytes);
            prop_assert!(next.is_none_or(|next| cut.len() + next.len_utf8() > bytes));
        }
    }

    #[test]
    fn grouping_adds_only_commas(number: u64) {
        let grouped = group_thousands(number);
        prop_assert_eq!(grouped.replace(',', "").parse::<u64>(), Ok(number));
        let parts: Vec<&str> = grouped.split(',').collect();
        prop_assert!((1..=3).contains(&parts[0].len()));
        prop_assert!(parts[1..].iter().all(|part| part.len() == 3));
    }
}

#[test]
fn names_fall_into_words_and_words_have_stems() {
    assert_eq!(
        split_words("parseHTTPResponse2JSON max_size 日本"),
        ["parse", "http", "response", "2", "json", "max", "size", "日", "本"]
    );
    let stems = ["builds", "building", "build", "queries", "classes", "running", "calling"].map(stem);
    assert_eq!(stems, ["build", "build", "build", "query", "class", "run", "call"]);
    assert!(is_unspaced('語') && is_unspaced('한') && !is_unspaced('e') && !is_unspaced('。'));
}
