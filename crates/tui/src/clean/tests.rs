//! What is left of texts that a terminal would obey.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{one_line, overwritten, stripped, visible};

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&stripped(text));
}

#[test]
fn sequences_are_taken_out_and_text_stays() {
    check("\u{1b}[1;31mred\u{1b}[0m", &expect!["red"]);
    check("a\u{1b}]0;title\u{7}b", &expect!["ab"]);
    check("a\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\b", &expect!["alinkb"]);
    check("a\u{1b}]52;c;aGk=\u{1b}\\b", &expect!["ab"]);
    check("a\u{1b}Pq#0\u{1b}\\b\u{1b}_apc\u{9c}c\u{1b}^pm\u{7}d", &expect!["abcd"]);
    check("a\u{9b}2Jb\u{9d}0;t\u{9c}c\u{90}x\u{7}d", &expect!["abcd"]);
    check("a\u{1b}cb\u{1b}(0c\u{1b}", &expect!["abc"]);
    check("bell\u{7} back\u{8} null\0 del\u{7f}", &expect!["bell back null del"]);
}

#[test]
fn a_sequence_without_an_end_hides_nothing() {
    check("a\u{1b}]0;title\nnext", &expect!["a0;title\nnext"]);
    check("a\u{1b}[31", &expect!["a"]);
    check("a\u{1b}]0;ti\u{1b}[31mtle\u{7}", &expect!["atle"]);
}

#[test]
fn an_overwritten_line_of_a_command_shows_its_newest_text() {
    expect!["30%\ndone\n"].assert_eq(&overwritten("10%\r20%\r30%\ndone\r\n"));
    expect!["10%"].assert_eq(&overwritten("10%\r"));
}

#[test]
fn a_carriage_return_of_the_model_hides_nothing() {
    check("# head\rlink\r\nnext\r", &expect!["# head\nlink\nnext"]);
    check("# head \u{1b}]8;;http://x\u{1b}\\\rlink", &expect!["# head \nlink"]);
}

#[test]
fn joined_emoji_stay_one_picture() {
    expect!["👩‍👩‍👧 x�y"].assert_eq(&visible("👩\u{200d}👩\u{200d}👧 x\u{200d}y"));
}

#[test]
fn letters_that_are_not_seen_are_marked() {
    check("a\u{202e}b\u{200b}c\u{feff}d\u{e0041}e", &expect!["a�b�c�d�e"]);
    check("👨\u{200d}👩\u{200d}👧 x\u{200d}y", &expect!["👨‍👩‍👧 x�y"]);
}

#[test]
fn what_is_decided_about_is_shown_in_full() {
    expect!["rm -rf ␛]0;x␇ /�␡"].assert_eq(&visible("rm -rf \u{1b}]0;x\u{7} /\u{202e}\u{7f}"));
}

#[test]
fn a_line_of_many_tabs_is_cleaned_in_one_pass() {
    let line = one_line(&"日\t".repeat(200_000), 0);
    assert_eq!(line.len(), 200_000 * "日  ".len());
}

#[test]
fn tabs_go_to_the_next_stop() {
    expect!["a   b   c"].assert_eq(&one_line("a\tb\tc", 0));
    expect!["  b"].assert_eq(&one_line("\tb", 2));
}

fn harmless(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

proptest! {
    #[test]
    fn nothing_that_is_obeyed_is_left(text in "(\\PC|[\u{0}-\u{20}]|[\u{7f}-\u{9f}]|\u{1b}[\\[\\]P_^X(]|[0-9;]|\u{1b}\\\\){0,60}") {
        prop_assert!(stripped(&text).chars().all(|letter| harmless(letter) || matches!(letter, '\n' | '\t')));
        prop_assert!(visible(&text).chars().all(|letter| harmless(letter) || matches!(letter, '\n' | '\t')));
        prop_assert!(one_line(&text, 3).chars().all(harmless));
    }
}
