//! Mocks with and without a test.

use super::super::sources::Sources;
use super::find;
use crate::tree::TextFile;

#[track_caller]
fn check(test: &str, expect: &[&str]) {
    let port =
        "#[cfg_attr(any(test, feature = \"mock\"), mockall::automock)]\n#[async_trait]\npub trait Clock {}\n";
    let files = [
        TextFile { path: "crates/a/src/clock.rs".to_owned(), text: port.to_owned() },
        TextFile { path: "crates/a/src/lib.rs".to_owned(), text: "pub use clock::MockClock;\n".to_owned() },
        TextFile { path: "crates/b/tests/a.rs".to_owned(), text: test.to_owned() },
    ];
    let found: Vec<_> = find(&Sources::read(&files)).iter().map(ToString::to_string).collect();
    assert_eq!(found, expect);
}

#[test]
fn a_mock_that_a_test_uses_passes() {
    check("let clock = MockClock::new();", &[]);
}

#[test]
fn an_export_alone_is_no_use() {
    check(
        "// MockClock",
        &[
            "crates/a/src/clock.rs:3: no test uses `MockClock`: test a failure of the port with it, or remove `automock`",
        ],
    );
}
