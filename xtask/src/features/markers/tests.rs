//! Comments that name numbers, and comments that only look like it.

use super::of;
use crate::tree::TextFile;

/// The numbers that a file names, then the count of malformed markers.
#[track_caller]
fn check(path: &str, text: &str, named: &str, malformed: usize) {
    let markers = of(&TextFile { path: path.to_owned(), text: text.to_owned() });
    let found: Vec<_> = markers.named.iter().map(|named| named.number.to_string()).collect();
    assert_eq!((found.join(" ").as_str(), markers.malformed.len()), (named, malformed), "{markers:?}");
}

#[test]
fn one_number_several_numbers_and_a_reason() {
    check("tests/a.rs", "// S3-01\n", "S3-01", 0);
    check("tests/a.rs", "    // S3-01 S3-02\n", "S3-01 S3-02", 0);
    check("tests/a.rs", "/// S3-01: the window is what is left.\n", "S3-01", 0);
    check("tests/a.rs", "let a = 1; // S3-01\n", "S3-01", 0);
}

#[test]
fn ranges_and_prose_after_a_number_are_malformed() {
    check("tests/a.rs", "// S3-01..S3-04\n", "", 1);
    check("tests/a.rs", "// S3-01 - S3-04\n", "", 1);
    check("tests/a.rs", "// S3-01, S3-02\n", "", 1);
    check("tests/a.rs", "// S3-1\n", "", 1);
}

#[test]
fn only_test_code_counts() {
    let text = "// S3-01\nfn a() {}\n#[cfg(test)]\nmod tests {\n    // S3-02\n}\n";
    check("src/a.rs", text, "S3-02", 0);
}

#[test]
fn other_comments_are_passed_over() {
    check("tests/a.rs", "// Storage fails here.\n// See S3-01.\nlet a = \"http://x\";\n", "", 0);
}
