//! Outcomes of quality gates are found in messages.

use crate::quality::quality_result;
use expect_test::{Expect, expect};

fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&quality_result(text).unwrap_or_else(|| "nothing".to_owned()));
}

// S0-26
#[test]
fn all_results_of_a_message_are_one_line() {
    check(
        "Iteration 3 of 50.\nQUALITY_FAILED: cargo test (exit 101)\n  error: QUALITY_PASSED: not me\nQUALITY_PASSED: fmt\n",
        &expect!["QUALITY_FAILED: cargo test (exit 101); QUALITY_PASSED: fmt"],
    );
    check("QUALITY_PASSED: all\r\nContinue.", &expect!["QUALITY_PASSED: all"]);
}

// S0-26
#[test]
fn a_message_that_tells_it_in_another_way_gives_that_line() {
    check("The gate says:\n  QUALITY_GATE lint is red\nmore", &expect!["QUALITY_GATE lint is red"]);
    check("the quality of QUALITY and quality_result", &expect!["nothing"]);
    check("", &expect!["nothing"]);
}

// S0-26
#[test]
fn a_long_result_ends_between_characters() {
    let line = quality_result(&format!("QUALITY_FAILED: {}", "ä".repeat(1_000))).unwrap();
    assert!(line.len() < 410 && line.ends_with("ä…"), "{line}");
}
