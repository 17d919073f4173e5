//! Splitting and stemming.

use super::{is_unspaced, split_words, stem};

#[test]
fn names_are_split_and_stemmed() {
    assert_eq!(
        split_words("parseHTTPResponse2JSON max_size 日本"),
        ["parse", "http", "response", "2", "json", "max", "size", "日", "本"]
    );
    let stems = ["builds", "building", "build", "queries", "classes", "running", "calling"].map(stem);
    assert_eq!(stems, ["build", "build", "build", "query", "class", "run", "call"]);
    assert!(is_unspaced('語') && is_unspaced('한') && !is_unspaced('e') && !is_unspaced('。'));
}
