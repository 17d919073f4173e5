//! Counting, and what `CI=true` makes of a skip.

use super::{Outcome, Tally};

fn skipped(allowed_because: Option<&'static str>) -> Outcome {
    Outcome::Skipped { reason: "no git".to_owned(), allowed_because }
}

#[track_caller]
fn check(in_ci: bool, outcome: Outcome, lines: &[&str], closing: &str, green: bool) {
    let mut tally = Tally::new(in_ci);
    assert_eq!(tally.record("crash", outcome), lines);
    assert_eq!(tally.closing_line(), closing);
    assert_eq!(tally.is_green(), green);
}

#[test]
fn a_pass_is_green() {
    check(true, Outcome::Passed, &["passed: crash"], "suites: 1 passed, 0 failed, 0 skipped", true);
}

#[test]
fn a_failure_is_red_everywhere() {
    let failed = Outcome::Failed("lost a row".to_owned());
    check(false, failed, &["failed: crash: lost a row"], "suites: 0 passed, 1 failed, 0 skipped", false);
}

#[test]
fn a_skip_is_named_and_green_at_home() {
    let lines = ["skipped: crash: no git"];
    check(false, skipped(None), &lines, "suites: 0 passed, 0 failed, 1 skipped", true);
    check(false, skipped(Some("it is big")), &lines, "suites: 0 passed, 0 failed, 1 skipped", true);
}

#[test]
fn a_skip_is_a_failure_in_ci() {
    let lines = ["skipped: crash: no git", "failed: crash: with CI=true a skip is a failure"];
    check(true, skipped(None), &lines, "suites: 0 passed, 1 failed, 0 skipped", false);
}

#[test]
fn an_allowed_skip_stays_a_skip_in_ci_and_says_why() {
    let lines = ["skipped: crash: no git (allowed with CI=true: it is big)"];
    check(true, skipped(Some("it is big")), &lines, "suites: 0 passed, 0 failed, 1 skipped", true);
}
