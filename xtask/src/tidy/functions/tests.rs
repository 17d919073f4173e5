//! Long functions and tuple patterns.

use super::super::Finding;
use super::super::sources::Sources;
use super::{long, tuples};
use crate::tree::TextFile;

#[track_caller]
fn check(rule: fn(&Sources<'_>) -> Vec<Finding>, text: &str, expect: &[&str]) {
    let files = [TextFile { path: "crates/a/src/a.rs".to_owned(), text: text.to_owned() }];
    let found: Vec<_> = rule(&Sources::read(&files)).iter().map(ToString::to_string).collect();
    assert_eq!(found, expect);
}

fn function(lines: usize) -> String {
    format!("fn a(b: [u8; 3]) {{\n{}}}\nfn short() {{}}\n", "    if a { b(); }\n".repeat(lines - 2))
}

#[test]
fn a_function_up_to_the_limit_passes() {
    check(long, &function(60), &[]);
    check(long, "trait A {\n    fn a();\n}\n", &[]);
}

#[test]
fn a_longer_function_is_found() {
    let expect = ["crates/a/src/a.rs:1: `a` has 61 lines, the limit is 60: split it by what it does"];
    check(long, &function(61), &expect);
    check(long, &format!("#[cfg(test)]\nmod tests {{\n{}}}\n", function(70)), &[]);
}

#[test]
fn a_tuple_pattern_is_found() {
    let expect = ["crates/a/src/a.rs:1: `a` takes a tuple pattern: pass each parameter, or a struct"];
    check(tuples, "fn a((b, c): (u8, u8)) {}", &expect);
    check(tuples, "fn a<F: Fn(u8) -> u8>(&self, x: F, (b, c): (u8, u8)) {}", &expect);
    check(tuples, "fn a(x: Vec<(u8, u8)>, (b, c): (u8, u8)) {}", &expect);
}

#[test]
fn tuple_types_and_closures_pass() {
    check(tuples, "fn a(x: (u8, u8), y: impl Fn(u8, (u8, u8)) -> u8, z: &[(u8, u8)]) {}", &[]);
    check(tuples, "fn a() { b.map(|(c, d)| c) }", &[]);
}
