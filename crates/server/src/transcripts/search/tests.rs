//! Which files are read for a search.

use std::fs;

use super::may_have;

#[test]
fn a_file_without_one_of_the_words_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    fs::write(&file, r#"{"text":"The WALRUS reads src\/main.rs, \u00fcber \"all\""}"#).unwrap();
    let may =
        |words: &[&str]| may_have(&file, &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    assert!(may(&["walrus", "reads"]));
    assert!(!may(&["walrus", "carpenter"]));
    // What JSON may escape is no reason to leave a file out.
    assert!(may(&["src/main.rs"]) && may(&["über"]) && may(&["\"all\""]));
    assert!(!may(&["src/lib.rs"]));
}

#[test]
fn a_file_of_another_kind_is_always_read_and_a_missing_one_never() {
    let folder = tempfile::tempdir().unwrap();
    let word = ["walrus".to_owned()];
    fs::write(folder.path().join("opencode.db"), "SQLite format 3").unwrap();
    assert!(may_have(&folder.path().join("opencode.db"), &word));
    assert!(!may_have(&folder.path().join("missing.json"), &word));
}
