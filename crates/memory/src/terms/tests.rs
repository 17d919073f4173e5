//! Terms of texts and of questions.

use proptest::prelude::*;

use super::{query_terms, terms};

fn check(text: &str, after: &str) {
    assert_eq!(terms(text).join(" "), after, "{text}");
}

#[test]
fn identifiers_and_paths_stand_whole_and_in_parts() {
    check("Storing the caches", "stor the cach");
    check("max_size maxSize max-size", "maxsiz max size maxsiz max size maxsiz max size");
    check("see src/store/lib.rs.", "see srcstorelibr libr src stor lib rs");
    check("Store::open_file()", "storeopenfil openfil stor open file");
    check("SQLite sqlite GitHub github", "sqlit sq lite sqlit github git hub github");
    check("utf8 x86_64 S3", "utf8 utf 8 x8664 x 86 64 s3 s 3");
    check("", "");
    check("--- ::: … 🎉", "");
}

#[test]
fn scripts_without_spaces_give_characters_and_pairs() {
    check("設定", "設 定 設定");
    check("日本語のconfig", "日 本 日本 語 本語 の 語の config");
    assert_eq!(query_terms("設定を", 9), ["設定", "定を"]);
    assert_eq!(query_terms("猫", 9), ["猫"]);
}

// F-29
#[test]
fn a_question_is_what_it_is_about() {
    assert_eq!(
        query_terms("what is the WAL mode of the SQLite-store?", 20),
        ["wal", "mode", "sqlitestor", "sq", "lite", "stor"]
    );
    assert_eq!(query_terms("the of and", 20), [""; 0]);
    assert_eq!(query_terms("C or a v2", 20), ["c", "v2"]);
    assert_eq!(query_terms("a_b x(\"y\") -z NOT w*", 20), ["ab", "x", "y", "z", "w"]);
    assert_eq!(query_terms("one two three four", 3).len(), 3);
    assert_eq!(query_terms("cache Caches caching", 9), ["cach"]);
}

proptest! {
    #[test]
    fn terms_are_letters_and_digits_and_not_long(text in "(\\PC|[_/.:a-zA-Z0-9世界éİ]){0,80}") {
        for term in terms(&text).into_iter().chain(query_terms(&text, 48)) {
            prop_assert!(!term.is_empty() && term.chars().count() <= 64);
            prop_assert!(!term.contains(char::is_whitespace) && !term.contains('"'));
        }
    }

    #[test]
    fn a_question_finds_the_text_that_it_is_taken_from(text in "([a-zA-Z_/.-]{1,8}|世界|é| ){0,12}") {
        let there = terms(&text);
        for term in query_terms(&text, 48) {
            prop_assert!(there.contains(&term), "{term:?} is not among {there:?}");
        }
    }
}
