//! The limit, the warning before it, and what does not count.

use super::check;
use crate::tidy::findings_of;

fn file(code: usize, test: usize) -> String {
    format!("{}#[cfg(test)]\nmod tests {{\n{}}}\n", "x\n".repeat(code), "y\n".repeat(test))
}

#[test]
fn up_to_the_limit_passes_and_tests_do_not_count() {
    assert!(findings_of(check, "src/a.rs", &file(300, 900)).is_empty());
    assert!(findings_of(check, "tests/a.rs", &file(900, 0)).is_empty());
    assert!(findings_of(check, "a.md", &file(900, 0)).is_empty());
}

#[test]
fn near_the_limit_is_a_warning() {
    let found = findings_of(check, "src/a.rs", &file(301, 0));
    assert_eq!(found, ["warning: src/a.rs: 301 lines without tests, over 300: is there a second job in it?"]);
    assert!(findings_of(check, "src/a.rs", &file(400, 0))[0].starts_with("warning: "));
}

#[test]
fn over_the_limit_is_found() {
    let found = findings_of(check, "src/a.rs", &file(401, 0));
    assert_eq!(found, ["src/a.rs: 401 lines without tests, the limit is 400: split it by job"]);
}
