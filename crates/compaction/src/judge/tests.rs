//! Which summaries are used.

use expect_test::{Expect, expect};
use throughline_testkit::WordCounter;

use super::judge;
use crate::testing::words;

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&judge(text, 40, 10, &WordCounter).unwrap_or_else(|why| format!("refused: {why}")));
}

#[test]
fn good_prose_is_used_without_its_analysis() {
    check("<analysis>hm, what</analysis>\n\nThe parser is done.\n", &expect!["The parser is done."]);
}

#[test]
fn bad_prose_is_not_used() {
    check("  \n", &expect!["refused: the summary is empty"]);
    check("<analysis>only this</analysis>", &expect!["refused: the summary is empty"]);
    check(
        "I'm sorry, but I cannot do that.",
        &expect![[r#"refused: the summary is a refusal: "i'm sorry, but i cannot do that.""#]],
    );
    check("<tool_call>{}</tool_call>", &expect!["refused: the summary calls a tool"]);
    check(&words(41), &expect!["refused: the summary has 41 tokens, the messages have 40"]);
    check(&words(31), &expect!["refused: the summary has 31 tokens, 10 were asked for"]);
}

#[test]
fn prose_that_is_somewhat_too_long_is_cut() {
    check(
        &words(14),
        &expect![[r#"
        w0 w1
        [… 35 bytes left out …]
        2 w13"#]],
    );
}
