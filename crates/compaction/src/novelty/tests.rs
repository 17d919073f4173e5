//! What is said only once goes before what is said again and again.

use expect_test::expect;
use throughline_testkit::WordCounter;

use crate::words::quote;

#[test]
fn a_text_with_new_words_outlives_newer_repetitions() {
    let mut texts = vec!["the goal".to_owned(), "port=5413 host=db7 user=casey".to_owned()];
    texts.extend((0..20).map(|number| format!("nothing new in the report {number} of today")));
    expect![[r#"
        > the goal

        > port=5413 host=db7 user=casey

        > nothing new in the report 18 of today

        > nothing new in the report 19 of today"#]]
    .assert_eq(&quote(&texts, 24, &WordCounter));
}

#[test]
fn repetitions_are_taken_newest_first() {
    let mut texts = vec!["the goal".to_owned()];
    texts.extend((0..9).map(|number| format!("report {number} of today")));
    expect![[r#"
        > the goal

        > report 7 of today

        > report 8 of today"#]]
    .assert_eq(&quote(&texts, 12, &WordCounter));
}
