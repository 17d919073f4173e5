//! Items with and without a use.

use super::super::sources::Sources;
use super::find;
use crate::tree::TextFile;

/// The items that are found, with who uses them.
#[track_caller]
fn check(files: &[(&str, &str)], expect: &[&str]) {
    let files: Vec<_> = files
        .iter()
        .map(|(path, text)| TextFile { path: (*path).to_owned(), text: (*text).to_owned() })
        .collect();
    let found: Vec<_> = find(&Sources::read(&files))
        .iter()
        .map(|finding| finding.says.split(':').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(found, expect);
}

const CODE: &str = "crates/a/src/a.rs";

#[test]
fn an_item_that_code_uses_passes() {
    check(&[(CODE, "pub fn cut() {}\n"), ("crates/b/src/b.rs", "fn main() { a::cut(); }")], &[]);
    check(&[(CODE, "pub const fn cut() {}\nfn b() { self.cut() }")], &[]);
    check(&[(CODE, "pub const CUT: u8 = 1;\nlet a = format!(\"{CUT}\");")], &[]);
    check(&[(CODE, "pub fn cut() {}\n#[serde(default = \"cut\")]\n")], &[]);
    check(
        &[(CODE, "pub fn cut() {}\n"), ("crates/b/src/b.rs", "use a::cut as trim;\nfn b() { trim() }")],
        &[],
    );
}

#[test]
fn a_definition_an_export_and_an_own_impl_are_no_use() {
    let text = "pub struct Cut;\npub use b::Cut;\nimpl Cut { fn a() -> Cut { Cut } }\nimpl Drop for Cut {}\n";
    check(&[(CODE, text)], &["nothing uses `Cut`"]);
    check(&[(CODE, "pub async fn cut() {}\npub(crate) use b::cut;")], &["nothing uses `cut`"]);
}

#[test]
fn tests_and_benchmarks_are_no_use() {
    check(&[(CODE, "pub fn cut() {}\n"), ("crates/b/tests/b.rs", "cut();")], &["only tests use `cut`"]);
    let inline = "pub fn cut() {}\n#[cfg(test)]\nmod tests {\n    cut();\n}\n";
    check(&[(CODE, inline)], &["only tests use `cut`"]);
    check(&[(CODE, "pub fn cut() {}\n"), ("crates/a/examples/bench_a.rs", "x();")], &["nothing uses `cut`"]);
}

#[test]
fn an_example_of_the_own_crate_is_a_use() {
    check(&[(CODE, "pub fn cut() {}\n"), ("crates/a/examples/a.rs", "cut();")], &[]);
    check(&[(CODE, "pub fn cut() {}\n"), ("crates/b/examples/b.rs", "cut();")], &["only tests use `cut`"]);
}

#[test]
fn what_is_not_public_is_the_compilers_affair() {
    check(&[(CODE, "pub(crate) fn cut() {}\nfn trim() {}\nstruct A { pub cut: u8 }\n")], &[]);
}
