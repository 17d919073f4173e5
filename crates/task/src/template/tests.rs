//! Filling of placeholders.

use super::fill;

#[test]
fn values_are_not_filled_again() {
    assert_eq!(fill("{a}-{b}-{c}", &[("a", "{b}"), ("b", "x")]), "{b}-x-{c}");
    assert_eq!(fill("fn f() { {a} }", &[("a", "1")]), "fn f() { 1 }");
    assert_eq!(fill("open {", &[]), "open {");
}
