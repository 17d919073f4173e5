//! What a prompt is about.

use proptest::prelude::*;

use super::keywords;

fn check(prompt: &str, after: &[&str]) {
    assert_eq!(keywords(prompt), after, "{prompt}");
}

// S4-20
#[test]
fn words_of_requests_do_not_count() {
    for prompt in
        ["continue", "Next, please.", "go ahead", "ok, do it", "fix this", "yes", "try again", "", "?!", "🎉"]
    {
        check(prompt, &[]);
    }
    check("Please fix the retry logic of the uploader", &["retry", "logic", "uploader"]);
    check("why does CI fail, is it the DB?", &["ci", "fail", "db"]);
    check("Größe der Datei ändern", &["größe", "der", "datei", "ändern"]);
}

#[test]
fn identifiers_and_paths_are_kept_whole_and_by_part() {
    check("rename max_connections", &["max_connections", "max", "connections"]);
    check("look at src/store/lib.rs", &["src/store/lib.rs", "lib.rs", "src", "store", "lib"]);
    check("TokenMeter in x86_64", &["tokenmeter", "token", "meter", "x86_64"]);
    check("設定ファイル", &["設定", "定フ", "ファ", "ァイ", "イル"]);
}

proptest! {
    #[test]
    fn keywords_are_lower_case_and_stand_once(prompt in "(\\PC|[a-zA-Z_/. ]){0,80}") {
        let found = keywords(&prompt);
        let mut once = found.clone();
        once.sort();
        once.dedup();
        prop_assert_eq!(once.len(), found.len());
        prop_assert!(found.iter().all(|word| !word.is_empty() && !word.contains(char::is_whitespace)));
    }
}
