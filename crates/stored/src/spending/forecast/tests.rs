//! The expected usage of a request, by what is known about the one before it.

use throughline_conversation::Usage;

use super::{AnsweredRequest, expected_usage};

fn usage(input: u64, cache_read: u64, cache_write: u64) -> Usage {
    Usage { input, cache_read, cache_write, output: 0, searches: 0 }
}

/// What is expected after a request, as `[input, cache_read, cache_write]`.
fn check(last: (Usage, Usage), predicted: Usage, expected: [u64; 3]) {
    let last = AnsweredRequest { predicted: last.0, reported: last.1 };
    let next = expected_usage(predicted, Some(last), 7);
    assert_eq!([next.input, next.cache_read, next.cache_write], expected, "{predicted:?} after {last:?}");
    assert_eq!(next.output, 7);
}

#[test]
fn a_first_request_is_expected_to_use_what_is_predicted() {
    assert_eq!(expected_usage(usage(1, 2, 3), None, 4), Usage { output: 4, ..usage(1, 2, 3) });
}

#[test]
fn a_prediction_that_came_true_is_used_unchanged() {
    let last = (usage(5, 0, 1_000), usage(5, 0, 1_000));
    check(last, usage(5, 1_000, 200), [5, 1_000, 200]);
    // A first estimate that was too low or too high: the next prediction starts from the report.
    check((usage(0, 0, 800), usage(0, 0, 1_000)), usage(5, 1_000, 200), [5, 1_000, 200]);
    check((usage(0, 0, 1_500), usage(0, 0, 1_000)), usage(5, 1_000, 200), [5, 1_000, 200]);
}

#[test]
fn input_that_no_prediction_explains_is_expected_to_be_charged_again() {
    // 20,000 tokens were charged where 1,000 were predicted, and the request grows by 200.
    check((usage(1_000, 0, 0), usage(20_000, 0, 0)), usage(200, 1_000, 0), [19_200, 1_000, 0]);
    check((usage(0, 0, 1_000), usage(0, 0, 20_000)), usage(5, 1_000, 195), [5, 1_000, 19_195]);
}

#[test]
fn the_cache_is_expected_to_hold_what_it_held_of_the_last_prediction() {
    let last = usage(0, 1_000, 100);
    // Nothing was read or written, though it was predicted.
    check((last, usage(1_100, 0, 0)), usage(0, 1_100, 100), [1_200, 0, 0]);
    check((last, usage(600, 500, 0)), usage(0, 1_100, 100), [650, 550, 0]);
    // More was read than was predicted, of more than was predicted.
    check((last, usage(400, 8_000, 0)), usage(0, 1_100, 100), [100, 8_400, 0]);
    // The cache has expired: nothing is read.
    check((last, usage(0, 1_000, 100)), usage(0, 0, 1_300), [0, 0, 1_300]);
}

#[test]
fn a_request_that_shrank_is_charged_in_proportion() {
    check((usage(10_000, 0, 0), usage(50_000, 0, 0)), usage(2_000, 0, 0), [10_000, 0, 0]);
    // It is never expected to be smaller than predicted.
    check((usage(10_000, 0, 0), usage(5_000, 0, 0)), usage(4_000, 0, 0), [4_000, 0, 0]);
}

#[test]
fn extreme_figures_neither_overflow_nor_divide_by_zero() {
    let most = usage(u64::MAX, 0, 0);
    check((usage(0, 0, 0), usage(0, 0, 0)), usage(0, 0, 0), [0, 0, 0]);
    check((usage(0, 0, 0), most), usage(9, 0, 0), [u64::MAX, 0, 0]);
    check((most, most), usage(9, 0, 0), [9, 0, 0]);
    check((usage(0, 1, 0), usage(0, u64::MAX, 0)), usage(0, u64::MAX, 0), [0, u64::MAX, 0]);
}
