//! Which summaries are used.

use expect_test::{Expect, expect};
use throughline_conversation::TokenCounter;
use throughline_testkit::WordCounter;

use super::judge;
use crate::Template;
use crate::testing::words;

/// Asks for no heading.
const FREE: Template = Template { name: "free", prompt: "", headings: &[] };

fn judged(text: &str, template: &Template) -> Result<String, String> {
    judge(text, 40, 10, template, &WordCounter)
}

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&judged(text, &FREE).unwrap_or_else(|why| format!("refused: {why}")));
}

#[test]
fn good_prose_is_used_without_its_analysis() {
    check("<analysis>hm, what</analysis>\n\nThe parser is done.\n", &expect!["The parser is done."]);
}

// F-15
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

// O-14
#[test]
fn prose_without_its_headings_is_rejected() {
    let rendered =
        |text: &str| judged(text, &Template::ROLLING).unwrap_or_else(|why| format!("refused: {why}"));
    expect!["refused: the summary lacks the heading \"Now\""]
        .assert_eq(&rendered("Now I will fix the parser. Done soon."));
    expect!["refused: the summary lacks the heading \"Done\""].assert_eq(&rendered("### Now\nThe parser."));
    for text in ["### Now\nx\n### Done\ny", "# now and next\nx\n# DONE:\ny", "**Now**\nx\n2. Done\ny"] {
        assert_eq!(rendered(text), text);
    }
}

#[test]
fn a_summary_has_fewer_tokens_than_the_messages_and_at_most_three_times_its_budget() {
    let tokens = |count: usize, replaced, budget| {
        judge(&words(count), replaced, budget, &FREE, &WordCounter).map(|text| WordCounter.text(&text)).ok()
    };
    assert_eq!((tokens(39, 40, 50), tokens(40, 40, 50)), (Some(39), None));
    assert!(tokens(30, 40, 10).is_some_and(|tokens| tokens <= 10));
    assert_eq!(tokens(31, 40, 10), None);
    assert_eq!((tokens(10, 40, 10), tokens(0, 40, 10)), (Some(10), None));
}
