//! Commands that succeed, one that hangs, and words that are no command.

use std::process::Stdio;
use std::time::{Duration, Instant};

use super::succeeds;

const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn a_program_that_does_not_exist_is_a_no() {
    assert!(succeeds(&["true"], Stdio::null(), LIMIT));
    assert!(!succeeds(&["false"], Stdio::null(), LIMIT));
    assert!(!succeeds(&["throughline-no-such-program"], Stdio::null(), LIMIT));
    assert!(!succeeds(&[], Stdio::null(), LIMIT));
}

#[test]
fn a_program_that_hangs_is_ended() {
    let begun = Instant::now();
    assert!(!succeeds(&["sleep", "600"], Stdio::null(), Duration::from_millis(50)));
    assert!(begun.elapsed() < LIMIT);
}
