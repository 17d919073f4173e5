//! Which parts of a text are marked.

use super::marked;

#[track_caller]
fn check(text: &str, words: &[&str], expected: &str) {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    assert_eq!(marked(text, &words).into_string(), expected);
}

#[test]
fn words_are_marked_whatever_their_case_and_the_rest_is_escaped() {
    check(
        "The <b>Ledger</b> ledgers",
        &["ledger"],
        "The &lt;b&gt;<mark>Ledger</mark>&lt;/b&gt; <mark>ledger</mark>s",
    );
    check("STRASSE straße", &["straße", "str"], "<mark>STR</mark>ASSE <mark>straße</mark>");
    check("İstanbul", &["stan"], "İ<mark>stan</mark>bul");
    check("nothing", &["", "x"], "nothing");
}
