//! Breaking and cutting lines.

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{break_at_width, cut_middle, cut_text, width, wrap, wrap_hanging, wrap_words};
use crate::line::{BOLD, Line, PLAIN};

fn check(text: &str, columns: usize, expected: &Expect) {
    let lines: Vec<String> = wrap(&Line::plain(text), columns).iter().map(Line::text).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn lines_break_between_words() {
    check("the quick brown fox", 10, &expect!["the quick\nbrown fox"]);
    check("the   quick", 8, &expect!["the\nquick"]);
    check("abcdefghijkl mn", 5, &expect!["abcde\nfghij\nkl mn"]);
    check("  indented text here", 12, &expect!["  indented\ntext here"]);
    check("日本語のテキスト", 6, &expect!["日本語\nのテキ\nスト"]);
    check("a 日本", 4, &expect!["a 日\n本"]);
    check("", 4, &expect![""]);
}

#[test]
fn a_word_that_is_longer_than_the_width_stays_one_line() {
    let lines = wrap_words(&Line::plain("see https://example.org/a/b now or later"), 10);
    let shown: Vec<(String, bool)> = lines.iter().map(|line| (line.text(), line.is_whole())).collect();
    let line = |text: &str, whole: bool| (text.to_owned(), whole);
    assert_eq!(
        shown,
        [
            line("see", false),
            line("https://example.org/a/b", true),
            line("now or", false),
            line("later", false)
        ]
    );
    let lines = wrap_words(&Line::plain("日本語のテキスト"), 6);
    assert!(lines.iter().all(|line| !line.is_whole() && line.width() <= 6), "{lines:?}");
}

#[test]
fn a_letter_with_its_marks_is_one() {
    assert_eq!(width("e\u{301}"), 1);
    assert_eq!(width("👨\u{200d}👩\u{200d}👧"), 2);
    assert_eq!(width("日本"), 4);
    expect!["日…"].assert_eq(&cut_text("日本語", 4));
    expect!["…"].assert_eq(&cut_text("日本語", 2));
    expect![""].assert_eq(&cut_text("abc", 0));
    expect!["日…本語"].assert_eq(&cut_middle("日本日本語", 7));
    expect!["ab…efgh"].assert_eq(&cut_middle("abcdefgh", 7));
    expect!["abcdefgh"].assert_eq(&cut_middle("abcdefgh", 8));
}

#[test]
fn text_hangs_behind_its_mark() {
    let lines = wrap_hanging(&Line::plain("- "), &Line::plain("  "), &Line::plain("one two three"), 8);
    let lines: Vec<String> = lines.iter().map(Line::text).collect();
    expect!["- one\n  two\n  three"].assert_eq(&lines.join("\n"));
}

proptest! {
    #[test]
    fn no_line_is_too_wide_and_no_letter_is_lost(text in "[a-zé日👍 ]{0,60}", columns in 2_usize..20) {
        let line = Line::plain(&text).then(&text, BOLD).then("end", PLAIN);
        for pieces in [wrap(&line, columns), break_at_width(&line, columns)] {
            for piece in &pieces {
                prop_assert!(piece.width() <= columns, "{:?} in {columns}", piece.text());
            }
            let kept: String = pieces.iter().map(Line::text).collect::<String>().replace(' ', "");
            prop_assert_eq!(kept, line.text().replace(' ', ""));
        }
    }
}
