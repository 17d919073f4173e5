//! Tests of the parent module.

use super::{Found, place};

#[test]
fn a_mutant_is_known_by_its_file_and_its_change() {
    let mutant = "crates/prompt/src/section.rs:110:94: replace || with && in may_have_controls";
    assert_eq!(place(mutant), "crates/prompt/src/section.rs: replace || with && in may_have_controls");
}

#[test]
fn a_mutant_with_a_reason_is_not_missed() {
    let missed = "crates/a/src/b.rs:1:2: replace + with - in add\ncrates/a/src/b.rs:3:4: replace name -> &str with \"\"\n";
    let accepted = "# reasons\ncrates/a/src/b.rs: replace + with - in add: both orders are right\n";
    let found = Found { caught: 19, ..Found::judged(missed, accepted) };
    assert_eq!((found.accepted, found.missed.len(), found.viable()), (1, 1, 20));
    assert!(found.is_enough(), "19 of 20 are 95 %");
    assert!(!Found { caught: 18, ..found }.is_enough());
}
