//! Splitting of command lines.

use super::split;

#[test]
fn quotes_hold_a_word_together() {
    for (text, words) in [
        ("", vec![]),
        ("  a\tb  c ", vec!["a", "b", "c"]),
        ("set 'my plan.md'", vec!["set", "my plan.md"]),
        ("set \"my plan.md\" x", vec!["set", "my plan.md", "x"]),
        ("'' x", vec!["", "x"]),
    ] {
        assert_eq!(split(text), words, "{text}");
    }
}

#[test]
fn a_quote_in_a_word_or_without_an_end_is_a_character() {
    assert_eq!(split("don't stop"), ["don't", "stop"]);
    assert_eq!(split("'tis all"), ["'tis", "all"]);
    assert_eq!(split("\"a\"b c"), ["\"a\"b", "c"]);
    assert_eq!(split("é 'ü ö'"), ["é", "ü ö"]);
}
