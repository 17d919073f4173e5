//! Words and stems.

use super::words;

fn check(text: &str, after: &[&str]) {
    assert_eq!(words(text), after, "{text}");
}

#[test]
fn names_fall_into_their_parts() {
    check("xcode_build", &["xcod", "build"]);
    check("xcodeBuild", &["xcod", "build"]);
    check("XcodeBuild-debug.log", &["xcod", "build", "debug", "log"]);
    check("parseHTTPResponse2JSON", &["pars", "http", "respons", "2", "json"]);
    check("mcp__github__list", &["github", "list"]);
    check("", &[]);
    check(" .,- ", &[]);
}

#[test]
fn plurals_and_ing_are_one_with_their_base() {
    for (one, other) in [
        ("build", "builds building"),
        ("file", "files"),
        ("query", "queries querying"),
        ("run", "runs running"),
        ("call", "calls calling"),
        ("search", "searches searching"),
        ("write", "writes writing"),
        ("cache", "caches caching"),
        ("process", "processes processing"),
        ("box", "boxes"),
    ] {
        let base = words(one);
        assert!(words(other).iter().all(|word| *word == base[0]), "{one}: {base:?} {:?}", words(other));
    }
    check("string status css", &["string", "status", "css"]);
}

#[test]
fn words_of_every_description_do_not_count() {
    check("Use this tool to list the files in a folder", &["list", "file", "folder"]);
}

#[test]
fn scripts_without_spaces_are_split_by_character() {
    check("日本 ПРИВЕТ", &["日", "本", "привет"]);
}
