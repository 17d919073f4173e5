//! Each invisible difference, and where it is allowed.

use super::check;
use crate::tidy::findings_of;

#[test]
fn clean_files_pass() {
    assert!(findings_of(check, "src/a.rs", "//! A.\n\nfn a() {}\n").is_empty());
    assert!(findings_of(check, "Makefile", "all:\n\techo\n").is_empty());
    assert!(findings_of(check, "src/empty.txt", "").is_empty());
}

#[test]
fn recorded_data_of_tests_is_left_alone() {
    assert!(findings_of(check, "crates/a/tests/wire/stream.txt", "data: {} \n\n\tx").is_empty());
}

#[test]
fn space_at_the_end_is_found() {
    assert_eq!(findings_of(check, "a.md", "one \ntwo\n"), ["a.md:1: whitespace at the end of the line"]);
    assert_eq!(
        findings_of(check, "a.md", "one\r\n").len(),
        0,
        "a carriage return is part of the line ending"
    );
}

#[test]
fn a_tab_in_rust_is_found() {
    let found = findings_of(check, "tests/a.rs", "//! A.\n\tfn a() {}\n");
    assert_eq!(found, ["tests/a.rs:2: a tab: indent with spaces, write `\\t` in a string"]);
}

#[test]
fn a_missing_last_newline_is_found() {
    assert_eq!(findings_of(check, "a.toml", "a = 1"), ["a.toml: no newline at the end of the file"]);
}
