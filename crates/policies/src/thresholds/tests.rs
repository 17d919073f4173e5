//! Thresholds of settings over those of a policy, in a window of 100,000 tokens, 4,096 of them for the answer.

use throughline_budget::{Threshold, Thresholds};

use super::NamedThresholds;

const WINDOW: u64 = 100_000;
const MAX_OUTPUT: u64 = 4_096;

fn read(text: &str) -> Threshold {
    text.parse().expect("a threshold")
}

fn thresholds([notice, warn, compact, block]: [&str; 4]) -> Thresholds {
    Thresholds { notice: read(notice), warn: read(warn), compact: read(compact), block: read(block) }
}

/// The thresholds for the warning, the compaction and the block; empty where settings name none.
fn named([warn, compact, block]: [&str; 3]) -> NamedThresholds {
    let named = |text: &str| (!text.is_empty()).then(|| read(text));
    NamedThresholds { warn: named(warn), compact: named(compact), block: named(block) }
}

fn check(policy: [&str; 4], own: [&str; 3], expected: [&str; 4]) {
    let over = named(own).over(thresholds(policy), WINDOW, MAX_OUTPUT);
    assert_eq!(over, thresholds(expected), "{own:?}");
    assert_eq!(over.limits(WINDOW, MAX_OUTPUT).err(), None, "{own:?}");
}

/// In tokens: 76,723, 91,108 and 93,985 of 95,904.
const USUAL: [&str; 4] = ["80%effective", "off", "95%effective", "98%effective"];

#[test]
fn without_named_thresholds_those_of_the_policy_stay() {
    check(USUAL, ["", "", ""], USUAL);
    // Also where they do not fit the window.
    let large = Thresholds { compact: Threshold::Tokens(200_000), ..Thresholds::default() };
    assert_eq!(NamedThresholds::default().over(large, WINDOW, MAX_OUTPUT), large);
}

#[test]
fn a_named_threshold_replaces_that_of_the_policy() {
    check(USUAL, ["", "90000", ""], ["80%effective", "off", "90000", "98%effective"]);
    check(USUAL, ["85%effective", "", ""], ["80%effective", "85%effective", "95%effective", "98%effective"]);
    check(USUAL, ["", "", "95500"], ["80%effective", "off", "95%effective", "95500"]);
    check(USUAL, ["", "off", ""], ["80%effective", "off", "off", "98%effective"]);
}

#[test]
fn what_the_policy_has_behind_a_named_threshold_is_off() {
    check(USUAL, ["", "60000", ""], ["off", "off", "60000", "98%effective"]);
    check(USUAL, ["70000", "", ""], ["off", "70000", "95%effective", "98%effective"]);
    let warns = ["off", "80%window", "90%window", "98%effective"];
    check(warns, ["", "70%window", ""], ["off", "off", "70%window", "98%effective"]);
    // At the same place it stays.
    check(USUAL, ["", "80%effective", ""], ["80%effective", "off", "80%effective", "98%effective"]);
    check(USUAL, ["76723", "", ""], ["80%effective", "76723", "95%effective", "98%effective"]);
    check(warns, ["", "80000", ""], ["off", "80%window", "80000", "98%effective"]);
}

#[test]
fn the_block_moves_to_the_end_for_a_compaction_behind_it_unless_it_is_named() {
    // 95,000 tokens are above the block and within the effective window.
    check(USUAL, ["", "95%window", ""], ["80%effective", "off", "95%window", "100%effective"]);
    check(USUAL, ["", "95%window", "98%effective"], ["80%effective", "off", "95%effective", "98%effective"]);
}

#[test]
fn per_cent_of_the_window_are_per_cent_of_the_effective_window_where_that_is_too_small() {
    check(USUAL, ["", "97%window", ""], ["80%effective", "off", "97%effective", "98%effective"]);
    check(
        USUAL,
        ["85%window", "97%window", "99%window"],
        ["80%effective", "85%effective", "97%effective", "99%effective"],
    );
    // Tokens stay what they are.
    check(USUAL, ["80000", "97%window", ""], ["80%effective", "80000", "97%effective", "98%effective"]);
}

#[test]
fn named_thresholds_that_contradict_each_other_stay_and_are_rejected_by_their_check() {
    let over = named(["90000", "80000", ""]).over(thresholds(USUAL), WINDOW, MAX_OUTPUT);
    assert_eq!(over, thresholds(["80%effective", "90000", "80000", "98%effective"]));
    let why = over.limits(WINDOW, MAX_OUTPUT).unwrap_err().to_string();
    assert!(
        why.starts_with("threshold warn (90000, 90000 tokens) is above compact (80000, 80000 tokens)"),
        "{why}"
    );
}
