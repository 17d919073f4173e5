//! Long and tall strings, in code and in tests.

use super::check;
use crate::tidy::findings_of;

#[test]
fn messages_pass() {
    let text = format!("//! A.\nconst A: &str = \"{}\";\n", "x".repeat(400));
    assert!(findings_of(check, "src/a.rs", &text).is_empty());
    assert!(findings_of(check, "src/a.rs", "//! A.\nconst A: &str = \"1\n2\n3\n4\n5\n6\";\n").is_empty());
}

#[test]
fn long_and_tall_strings_are_found() {
    let text = format!("//! A.\nconst A: &str = \"{}\";\n", "x".repeat(401));
    let found = findings_of(check, "src/a.rs", &text);
    assert_eq!(
        found,
        ["src/a.rs:2: a string of 401 characters on 1 line(s): prompt texts live in .md files"]
    );
    let found = findings_of(check, "src/a.rs", "//! A.\nconst A: &str = r\"1\n2\n3\n4\n5\n6\n7\";\n");
    assert_eq!(found, ["src/a.rs:2: a string of 13 characters on 7 line(s): prompt texts live in .md files"]);
}

#[test]
fn tests_may_hold_long_strings() {
    let long = format!("const A: &str = \"{}\";\n", "x".repeat(401));
    assert!(findings_of(check, "tests/a.rs", &long).is_empty());
    assert!(findings_of(check, "src/a.rs", &format!("#[cfg(test)]\nmod tests {{\n{long}}}\n")).is_empty());
}
