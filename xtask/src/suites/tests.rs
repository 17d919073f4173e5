//! The table, and what becomes of a suite whose input is absent.

use super::table::SUITES;
use super::{names, without_traces};
use crate::tally::Outcome;

#[test]
fn names_are_unique() {
    let mut seen: Vec<_> = names().collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), SUITES.len());
}

#[test]
fn a_suite_runs_as_a_release_test_behind_its_feature() {
    let crash = SUITES.iter().find(|suite| suite.name == "crash").unwrap();
    assert_eq!(
        crash.cargo_args().join(" "),
        "test --release -p throughline-cli --features integration --test crash -- --nocapture"
    );
}

#[test]
fn absent_traces_are_allowed_only_when_nobody_asked() {
    let allowed = |asked_for| match without_traces("none".to_owned(), asked_for) {
        Outcome::Skipped { allowed_because, .. } => allowed_because.is_some(),
        _ => false,
    };
    assert!(allowed(false));
    assert!(!allowed(true));
}
