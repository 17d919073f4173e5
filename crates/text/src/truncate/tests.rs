//! Truncation, with its laws.

use proptest::prelude::*;

use super::{cut_end, cut_start, first_lines, last_lines};

#[test]
fn a_character_is_never_split() {
    assert_eq!((cut_end("añb", 2), cut_end("añb", 3), cut_end("añb", 0)), ("a", "añ", ""));
    assert_eq!((cut_start("añb", 2), cut_start("añb", 3), cut_start("añb", 9)), ("b", "ñb", "añb"));
    assert_eq!((cut_end("🎉", 3), cut_start("🎉", 3)), ("", ""));
}

#[test]
fn a_line_break_near_the_cut_is_the_cut() {
    let (start, end) = (first_lines("onetwothree\nfour", 13), last_lines("four\nonetwothree", 13));
    assert_eq!((start, end), ("onetwothree\n", "onetwothree"));
    assert_eq!((first_lines("a\nbcdefgh", 7), last_lines("abcdefg\nh", 7)), ("a\nbcdef", "cdefg\nh"));
    assert_eq!((first_lines("all of it", 99), last_lines("all of it", 0)), ("all of it", ""));
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
}
