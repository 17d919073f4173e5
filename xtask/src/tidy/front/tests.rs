//! Docs first, and a `lib.rs` without code.

use super::check;
use crate::tidy::findings_of;

const LIB: &str = "//! Words.\n#![warn(x)]\n\nmod a;\n#[cfg(test)]\nmod tests;\n\n// Values.\npub use a::{\n    \
                   B,\n};\nconst _: fn(&dyn C) = |_| {};\n";

#[test]
fn docs_first_and_contents_only_pass() {
    assert!(findings_of(check, "crates/a/src/lib.rs", LIB).is_empty());
    assert!(findings_of(check, "crates/a/src/b.rs", "//! One job.\nfn b() {}\n").is_empty());
    assert!(findings_of(check, "README.md", "words").is_empty());
}

#[test]
fn a_file_without_docs_is_found_in_code_and_in_tests() {
    for path in ["crates/a/src/b.rs", "crates/a/tests/b.rs", "crates/a/benches/b.rs"] {
        let found = findings_of(check, path, "use std::fmt;\n//! Late.\n");
        assert_eq!(found, [format!("{path}:1: start the file with `//!` docs that say what it is for")]);
    }
}

#[test]
fn code_in_lib_is_found() {
    for item in ["fn f() {}", "pub struct S;", "impl S {", "pub mod a {", "use std::fmt;", "const A: u8 = 1;"]
    {
        let found = findings_of(check, "crates/a/src/lib.rs", &format!("//! Words.\n{item}\n"));
        assert_eq!(found.len(), 1, "{item}: {found:?}");
        assert!(found[0].starts_with("crates/a/src/lib.rs:2: "), "{found:?}");
    }
}
