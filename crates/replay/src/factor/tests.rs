//! Tests of the factor.

use throughline_testkit::WordCounter;

use super::{TokenScale, learn_factor};
use crate::sample::{session, with_prompts};
use crate::session::RecordedSession;

/// A session in which each step adds 301 words: the call, its two words, and 298 of result.
fn long(steps: usize) -> RecordedSession {
    let words = "word ".repeat(298);
    let step =
        |n: usize| format!("assistant:\n  -> c{n} read {{\"path\": \"f\"}}\nresults:\n  c{n} = {words}\n");
    session(&format!("user: go\n{}", (0..steps).map(step).collect::<String>()))
}

fn check(session: RecordedSession, prompts: &[u64], expected: Option<f64>) {
    let learnt = learn_factor(&with_prompts(session, prompts), &WordCounter);
    let near = match (learnt, expected) {
        (Some(learnt), Some(expected)) => (learnt - expected).abs() < 0.01,
        (learnt, expected) => learnt == expected,
    };
    assert!(near, "{learnt:?}, not {expected:?}");
}

#[test]
fn what_prompts_grew_by_is_set_against_the_count() {
    check(long(5), &[1_000, 1_450, 1_900, 2_350, 2_800], Some(1.5));
    // One step with a picture in it does not move the median.
    check(long(5), &[1_000, 1_450, 9_900, 10_350, 10_800], Some(1.5));
}

#[test]
fn a_step_over_a_compaction_is_left_out() {
    check(long(6), &[1_000, 1_450, 1_900, 300, 750, 1_200], Some(1.5));
}

#[test]
fn too_few_reports_prove_nothing() {
    check(long(5), &[1_000, 1_450, 1_900], None);
    check(long(5), &[], None);
    check(session("user: hi\nassistant: hello"), &[50], None);
}

#[test]
fn no_recording_can_make_the_factor_absurd() {
    check(long(5), &[1_000, 101_000, 201_000, 301_000, 401_000], Some(3.0));
    check(long(5), &[1_000, 1_001, 1_002, 1_003, 1_004], Some(0.5));
}

#[test]
fn a_replay_in_the_counters_tokens_ignores_what_the_provider_reports() {
    let session = with_prompts(long(5), &[1_000, 1_450, 1_900, 2_350, 2_800]);
    assert!((TokenScale::Provider.factor(&session, &WordCounter) - 1.5).abs() < 0.01);
    assert_eq!(TokenScale::Counter.factor(&session, &WordCounter), 1.0);
}
