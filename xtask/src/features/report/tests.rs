//! The report as it prints.

use super::{Columns, Departures, Named, Number, Rows, misplaced, stray, unknown};

fn numbers(words: &str) -> Vec<Number> {
    words.split_whitespace().map(|word| Number::parse(word).unwrap()).collect()
}

fn named(words: &str) -> Vec<Named> {
    numbers(words).into_iter().map(|number| Named { number, place: "tests/a.rs:1".to_owned() }).collect()
}

fn departures(words: &str) -> Departures {
    numbers(words).into_iter().map(|number| (number, "it is better".to_owned())).collect()
}

#[track_caller]
fn check([promised, tested, departing, planned]: [&str; 4], report: &str, unaccounted: &[&str]) {
    let set = |words: &str| numbers(words).into_iter().collect();
    let (promised, departures, planned) = (set(promised), departures(departing), set(planned));
    let columns =
        Columns { promised: &promised, tested: set(tested), departures: &departures, planned: &planned };
    assert_eq!(columns.text(), report);
    let found = columns.unaccounted();
    assert_eq!(found.len(), unaccounted.len(), "{found:?}");
    for (message, number) in found.iter().zip(unaccounted) {
        assert!(message.contains(number), "{message}");
    }
}

#[test]
fn each_row_is_in_one_column() {
    let report = "     shown  departure  open\nS0       1          1     0\nS1       0          0     2\nall      1          1     \
                  2\ndepartures, by docs/policies.md:\n  S0-02  it is better\nopen:\n  S1-01 S1-02";
    check(["S0-01 S0-02 S1-01 S1-02", "S0-01 S0-02", "S0-02", "S1-01"], report, &["S1-02"]);
}

#[test]
fn nothing_open_means_no_list() {
    check(
        ["S0-01", "S0-01", "", ""],
        "     shown  departure  open\nS0       1          0     0\nall      1          0     0",
        &[],
    );
}

#[test]
fn a_departure_that_is_no_row_is_an_error() {
    let promised = numbers("S0-01").into_iter().collect();
    let found = stray(&promised, &departures("S0-01 S0-99"));
    assert_eq!(found, ["docs/policies.md: S0-99 is not in docs/features.md"]);
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
