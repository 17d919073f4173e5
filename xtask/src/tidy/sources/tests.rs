//! Which code is test code across files, and to which crate a file belongs.

use super::{Sources, crate_of};
use crate::tree::TextFile;

/// The names in the code of the file `path`.
#[track_caller]
fn check(files: &[(&str, &str)], path: &str, expect: &str) {
    let files: Vec<_> = files
        .iter()
        .map(|(path, text)| TextFile { path: (*path).to_owned(), text: (*text).to_owned() })
        .collect();
    let sources = Sources::read(&files);
    let source = sources.rust.iter().find(|source| source.file.path == path).unwrap();
    let names: Vec<_> = source.code().iter().map(|token| token.text).collect();
    assert_eq!(names.join(""), expect);
}

#[test]
fn comments_and_tests_are_not_code() {
    check(
        &[("crates/a/src/b.rs", "//! Docs.\nx();\n#[cfg(test)]\nmod tests;\n")],
        "crates/a/src/b.rs",
        "x();",
    );
}

#[test]
fn a_module_that_is_declared_for_tests_is_not_code() {
    let declared = ("crates/a/src/lib.rs", "#[cfg(test)]\nmod samples;\npub mod real;\n");
    check(&[declared, ("crates/a/src/samples.rs", "x")], "crates/a/src/samples.rs", "");
    check(&[declared, ("crates/a/src/samples/deep.rs", "x")], "crates/a/src/samples/deep.rs", "");
    check(&[declared, ("crates/a/src/real.rs", "x")], "crates/a/src/real.rs", "x");
}

#[test]
fn contract_suites_are_not_code_and_real_features_are() {
    let text = "#[cfg(any(test, feature = \"contract\"))]\npub mod contract;\n#[cfg(any(test, feature = \"bpe\"))]\nmod bpe;\n";
    let declared = ("crates/a/src/b.rs", text);
    check(&[declared, ("crates/a/src/b/contract.rs", "x")], "crates/a/src/b/contract.rs", "");
    check(&[declared, ("crates/a/src/b/bpe.rs", "x")], "crates/a/src/b/bpe.rs", "x");
}

#[test]
fn crates_for_tests_are_not_code() {
    check(&[("crates/testkit/src/a.rs", "x")], "crates/testkit/src/a.rs", "");
}

#[test]
fn files_belong_to_their_crate() {
    for (path, name) in [("crates/agent/src/a.rs", "agent"), ("xtask/src/a.rs", "xtask"), ("docs/a.md", ".")]
    {
        assert_eq!(crate_of(path), name);
    }
}
