//! What is a name.

use super::names;

fn check(text: &str, expected: &str) {
    assert_eq!(names(text).collect::<Vec<_>>().join(" | "), expected);
}

#[test]
fn paths_and_files() {
    check(
        "Look at src/main.rs:12:5, ./run.sh and (/usr/bin/env); also .gitignore, a\\b\\win.txt, crates/agent/",
        "src/main.rs | ./run.sh | /usr/bin/env | .gitignore | a\\b\\win.txt | crates/agent",
    );
}

#[test]
fn identifiers() {
    check(
        "fn build_index(map: HashMap<String>) -> std::io::Result; self.count and camelCase, MAX_SIZE __init__",
        "build_index | HashMap | std::io::Result | self.count | camelCase | MAX_SIZE | __init__",
    );
}

#[test]
fn flags_codes_and_ids() {
    check(
        "run --all-targets=yes: error[E0308], TS2345, PROJ-1234, commit 3f2a9c1 \
         https://example.org/a?b=1",
        "--all-targets | E0308 | TS2345 | PROJ-1234 | 3f2a9c1 | https://example.org/a",
    );
}

#[test]
fn plain_words_and_numbers_are_none() {
    check(
        "The end.Next one, and/or 12345 of 2024-01-01T00:00:00Z cost 3.14; well-known, i.e. it's over -- or not",
        "",
    );
}

#[test]
fn patches_lose_their_signs() {
    check("+use crate::draft;\n-let old_name = 1;\n--- a/src/x.rs", "crate::draft | old_name | a/src/x.rs");
}

#[test]
fn hostile_text_is_no_trouble() {
    check("ü_ö/ä.rs \u{1F600}_x ::: ://// ....  ----- :a: \u{301}\u{301}_b", "ü_ö/ä.rs");
    assert_eq!(names(&"a_".repeat(200)).count(), 0, "data is no name");
}
