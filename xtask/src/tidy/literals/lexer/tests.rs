//! What is a string, what only looks like one, and how long each is.

use super::literals;

/// Line, characters and lines of each literal.
#[track_caller]
fn check(text: &str, expect: &[(usize, usize, usize)]) {
    let found: Vec<_> = literals(text).iter().map(|found| (found.line, found.chars, found.lines)).collect();
    assert_eq!(found, expect);
}

#[test]
fn plain_strings() {
    check(r#"let a = "abc"; let b = "";"#, &[(1, 3, 1), (1, 0, 1)]);
    check("\n\"a\nb\"", &[(2, 3, 2)]);
}

#[test]
fn an_escaped_quote_does_not_end_a_string() {
    check(r#""a\"b" "c""#, &[(1, 3, 1), (1, 1, 1)]);
    check(r#""\\" "c""#, &[(1, 1, 1), (1, 1, 1)]);
}

#[test]
fn raw_strings_end_with_their_hashes() {
    check("r\"a\\\" \"b\"", &[(1, 2, 1), (1, 1, 1)]);
    check("r##\"a\"# b\"## \"c\"", &[(1, 5, 1), (1, 1, 1)]);
    check("br#\"a\"#", &[(1, 1, 1)]);
}

#[test]
fn raw_names_are_not_strings() {
    check("let r#type = \"a\";", &[(1, 1, 1)]);
}

#[test]
fn characters_and_lifetimes_open_nothing() {
    check(r#"let a = '"'; let b = '\''; let c: &'a str = "x"; '\u{22}'"#, &[(1, 1, 1)]);
}

#[test]
fn comments_open_nothing() {
    check("// don't \"a\n/* \"b /* \" */ \" */ \"c\"", &[(2, 1, 1)]);
    check("a / \"b\"", &[(1, 1, 1)]);
}

#[test]
fn text_that_ends_early_is_no_panic() {
    for text in ["\"", "r#\"", "'", "'\\", "/*", "/", "r###"] {
        literals(text);
    }
}
