//! What each token is, where it starts, and how long a string is.

use super::{Kind, tokens};

/// The tokens of one kind, joined by a space.
#[track_caller]
fn check(kind: Kind, text: &str, expect: &str) {
    let found: Vec<_> =
        tokens(text).into_iter().filter(|token| token.kind == kind).map(|token| token.text).collect();
    assert_eq!(found.join(" "), expect);
}

/// Line, characters and lines of each string literal.
#[track_caller]
fn check_strings(text: &str, expect: &[(usize, usize, usize)]) {
    let found: Vec<_> = tokens(text)
        .into_iter()
        .filter(|token| token.kind == Kind::Text)
        .map(|token| (token.line, token.chars(), token.lines()))
        .collect();
    assert_eq!(found, expect);
}

#[test]
fn names_numbers_and_marks() {
    check(Kind::Name, "fn a_b(r#type: u8) -> B", "fn a_b type u8 B");
    check(Kind::Number, "0..10 1_000u64 0.5 1.max(2) a.0 0xff", "0 10 1_000u64 0.5 1 2 0 0xff");
    check(Kind::Mark, "a::b(c)", ": : ( )");
}

#[test]
fn plain_strings() {
    check_strings(r#"let a = "abc"; let b = "";"#, &[(1, 3, 1), (1, 0, 1)]);
    check_strings("\n\"a\nb\"", &[(2, 3, 2)]);
}

#[test]
fn an_escaped_quote_does_not_end_a_string() {
    check_strings(r#""a\"b" "c""#, &[(1, 3, 1), (1, 1, 1)]);
    check_strings(r#""\\" "c""#, &[(1, 1, 1), (1, 1, 1)]);
}

#[test]
fn raw_strings_end_with_their_hashes() {
    check_strings("r\"a\\\" \"b\"", &[(1, 2, 1), (1, 1, 1)]);
    check_strings("r##\"a\"# b\"## \"c\"", &[(1, 5, 1), (1, 1, 1)]);
    check_strings("br#\"a\"#", &[(1, 1, 1)]);
}

#[test]
fn raw_names_are_not_strings() {
    check_strings("let r#type = \"a\"; crab(\"b\")", &[(1, 1, 1), (1, 1, 1)]);
}

#[test]
fn characters_and_lifetimes_open_nothing() {
    check_strings(r#"let a = '"'; let b = '\''; let c: &'a str = "x"; '\u{22}' b'"'"#, &[(1, 1, 1)]);
}

#[test]
fn comments_open_nothing() {
    check_strings("// don't \"a\n/* \"b /* \" */ \" */ \"c\"", &[(2, 1, 1)]);
    check_strings("a / \"b\"", &[(1, 1, 1)]);
    check(Kind::Comment, "a // b\n/* c /* d */ */ e", "// b /* c /* d */ */");
}

#[test]
fn text_that_ends_early_is_no_panic() {
    for text in ["\"", "r#\"", "'", "'\\", "/*", "/", "r###", "é'", "b'"] {
        let joined: String = tokens(text).iter().map(|token| token.text).collect();
        assert!(joined.len() <= text.len(), "{text}");
    }
}
