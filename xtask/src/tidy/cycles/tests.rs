//! Circles of imports, long and short.

use super::super::sources::Sources;
use super::find;
use crate::tree::TextFile;

/// The files of long circles in a crate of modules with these texts.
#[track_caller]
fn check(modules: &[(&str, &str)], expect: &[&str]) {
    let file = |(name, text): &(&str, &str)| TextFile {
        path: format!("crates/a/src/{name}.rs"),
        text: (*text).to_owned(),
    };
    let files: Vec<_> = modules.iter().map(file).collect();
    let found: Vec<_> = find(&Sources::read(&files)).into_iter().map(|finding| finding.path).collect();
    let expect: Vec<_> = expect.iter().map(|name| format!("crates/a/src/{name}.rs")).collect();
    assert_eq!(found, expect);
}

#[test]
fn four_files_in_a_circle_pass_and_five_do_not() {
    let four = [
        ("b", "use crate::c::C;"),
        ("c", "use crate::{d::D, x};"),
        ("d", "fn a() { crate::e::e(); }"),
        ("e", "use super::b;"),
    ];
    check(&four, &[]);
    let mut five = four.to_vec();
    five.extend([("x", "use crate::b::{B, deep::X};")]);
    check(&five, &["b", "c", "d", "e", "x"]);
}

#[test]
fn children_that_use_their_parent_are_no_circle() {
    let mut nested = vec![("b", "use c::C; use d::D; use e::E; use f::F;")];
    nested.extend(["b/c", "b/d", "b/e", "b/f"].map(|name| (name, "use super::B;")));
    check(&nested, &[]);
}

#[test]
fn imports_of_tests_and_of_the_root_do_not_count() {
    let modules = [
        ("lib", "pub use b::B; pub use c::C;"),
        ("b", "use crate::C;"),
        ("c", "use crate::B;\n#[cfg(test)]\nuse crate::d::D;\n"),
        ("d", "use crate::e::E;"),
        ("e", "use crate::b::B; use crate::c::C;"),
    ];
    check(&modules, &[]);
}
