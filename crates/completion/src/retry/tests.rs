//! Waits, try by try.

use std::time::Duration;

use super::{Backoff, RetryPolicy};
use crate::error::ModelError;

const FIRST: Duration = Duration::from_millis(500);

fn backoff(whose: &str) -> Backoff {
    let policy = RetryPolicy {
        attempts: 5,
        first_wait: FIRST,
        longest_wait: Duration::from_secs(3),
        ..RetryPolicy::default()
    };
    Backoff::new(policy, whose)
}

fn busy(retry_after_ms: Option<u64>) -> ModelError {
    ModelError::Unavailable { message: "busy".to_owned(), retry_after_ms }
}

fn waits(backoff: &mut Backoff, error: &ModelError) -> Vec<Duration> {
    std::iter::from_fn(|| backoff.wait_after(error)).collect()
}

#[test]
fn waits_double_and_are_a_little_shorter_by_chance() {
    let waits = |whose| waits(&mut backoff(whose), &busy(None));
    let one = waits("one");
    let whole = [FIRST, 2 * FIRST, 4 * FIRST, Duration::from_secs(3)];
    assert_eq!(one.len(), whole.len());
    for (wait, whole) in one.iter().zip(whole) {
        assert!(*wait <= whole && *wait > whole * 7 / 10, "{one:?}");
    }
    assert_eq!(one, waits("one"), "the same session waits the same");
    assert_ne!(one, waits("another"));
}

#[test]
fn the_word_of_the_provider_wins() {
    let limited = ModelError::RateLimited { message: "slow down".to_owned(), retry_after_ms: Some(2_900) };
    assert_eq!(backoff("one").wait_after(&limited), Some(Duration::from_millis(2_900)));
    assert_eq!(backoff("one").wait_after(&busy(Some(2_900))), Some(Duration::from_millis(2_900)));
    // No wait at all would only spend the tries.
    assert_eq!(waits(&mut backoff("one"), &busy(Some(0))), waits(&mut backoff("one"), &busy(None)));
}

#[test]
fn a_wait_that_is_too_long_ends_it_at_once() {
    assert_eq!(backoff("one").wait_after(&busy(Some(3_000))), Some(Duration::from_secs(3)));
    assert_eq!(backoff("one").wait_after(&busy(Some(3_001))), None);
}

#[test]
fn a_provider_that_falls_silent_is_asked_once_more() {
    let silent = || ModelError::Silent { message: "nothing came for 300 s".to_owned() };
    assert_eq!(waits(&mut backoff("one"), &silent()).len(), 1);
    // Whatever comes in between.
    let mut backoff = backoff("one");
    assert!(backoff.wait_after(&busy(None)).is_some());
    assert!(backoff.wait_after(&silent()).is_some());
    assert!(backoff.wait_after(&busy(None)).is_some());
    assert_eq!(backoff.wait_after(&silent()), None);
}
