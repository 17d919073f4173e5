//! The report as it prints.

use super::{Named, Number, Rows, misplaced, text, unknown};

fn numbers(words: &str) -> Vec<Number> {
    words.split_whitespace().map(|word| Number::parse(word).unwrap()).collect()
}

fn named(words: &str) -> Vec<Named> {
    numbers(words).into_iter().map(|number| Named { number, place: "tests/a.rs:1".to_owned() }).collect()
}

#[track_caller]
fn check(promised: &str, tested: &str, only_missing: bool, expect: &str) {
    let promised = numbers(promised).into_iter().collect();
    assert_eq!(text(&promised, &named(tested), only_missing), expect);
}

#[test]
fn a_line_for_each_group_then_the_missing() {
    let expect = "S0    1/2\nS1    0/1\nall   1/3\nno test yet:\n  S0-02 S1-01";
    check("S0-01 S0-02 S1-01", "S0-01 S0-01", false, expect);
}

#[test]
fn nothing_missing_means_no_list() {
    check("S0-01", "S0-01", false, "S0    1/1\nall   1/1");
    check("S0-01", "S0-01", true, "");
}

#[test]
fn only_the_missing_and_wrapped() {
    let promised: Vec<_> = (1..=13).map(|item| format!("S0-{item:02}")).collect();
    let (last, first) = promised.split_last().unwrap();
    check(&promised.join(" "), "", true, &format!("  {}\n  {last}", first.join(" ")));
}

#[test]
fn a_number_that_is_not_promised_is_named_with_its_place() {
    let promised = numbers("S0-01").into_iter().collect();
    assert_eq!(unknown(&promised, &named("S0-01")), Vec::<String>::new());
    assert_eq!(unknown(&promised, &named("S0-99")), ["tests/a.rs:1: S0-99 is not in docs/features.md"]);
}

#[test]
fn a_crate_without_a_test_of_its_row_is_named() {
    let number = Number::parse("S0-01").unwrap();
    let rows = Rows::from([(number, vec!["budget".to_owned(), "agent".to_owned()])]);
    let named = [Named { number, place: "crates/budget/tests/a.rs:1".to_owned() }];
    let expect = "docs/features.md: S0-01 names `agent`, which has no test of it: name the crate that has, or mark it \
                  (planned)";
    assert_eq!(misplaced(&rows, &named), [expect]);
}
