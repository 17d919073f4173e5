//! Queries and their SQL.

use super::{sql, words};

#[test]
fn a_word_cannot_leave_its_string_or_match_everything() {
    let made = sql(&["o'%_\\".to_owned()], 3);
    assert!(made.contains("LIKE '%o''\\%\\_\\\\%' ESCAPE '\\'"), "{made}");
    assert!(made.contains("lower('o''%_\\')"), "{made}");
}

#[test]
fn a_query_that_cannot_be_searched_says_why() {
    let fails = |query: &str, why: &str| {
        let error = words(Some(query)).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    };
    fails(&"x".repeat(10_000), "at most 400 bytes");
    fails(&"a ".repeat(20), "at most 12 words");
    fails("a\0b", "NUL");
    assert!(words(None).unwrap_err().to_string().contains("must be a string"));
    assert_eq!(words(Some(" a  b ")).unwrap(), ["a", "b"]);
}
