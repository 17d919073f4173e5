//! Imports from modules and from the root.

use super::super::sources::Sources;
use super::find;
use crate::tree::TextFile;

#[track_caller]
fn check(text: &str, expect: &[&str]) {
    let files = [
        TextFile {
            path: "crates/a/src/lib.rs".to_owned(),
            text: "mod view;\npub use view::View;\n".to_owned(),
        },
        TextFile { path: "crates/a/src/log.rs".to_owned(), text: text.to_owned() },
        TextFile { path: "crates/b/src/main.rs".to_owned(), text: "use crate::Main;\n".to_owned() },
    ];
    let found: Vec<_> = find(&Sources::read(&files)).iter().map(ToString::to_string).collect();
    assert_eq!(found, expect);
}

#[test]
fn a_sibling_module_passes() {
    check("use crate::view::View;\nuse crate::view::{self, Edit};\nuse crate::{view, view::Edit};\n", &[]);
}

#[test]
fn names_of_the_root_are_found_one_by_one() {
    let found = |name: &str| {
        format!("crates/a/src/log.rs:1: `{name}` through lib.rs: import it from the module that defines it")
    };
    check("use crate::View;\n", &[&found("View")]);
    check("use crate::{View, view::{A, B}, Edit};\n", &[&found("View"), &found("Edit")]);
    check("#[cfg(test)]\nuse crate::View;\n", &[]);
}
