//! Commands that succeed, and words that are no command.

use std::process::Stdio;

use super::succeeds;

#[test]
fn a_program_that_does_not_exist_is_a_no() {
    assert!(succeeds(&["true"], Stdio::null()));
    assert!(!succeeds(&["false"], Stdio::null()));
    assert!(!succeeds(&["throughline-no-such-program"], Stdio::null()));
    assert!(!succeeds(&[], Stdio::null()));
}
