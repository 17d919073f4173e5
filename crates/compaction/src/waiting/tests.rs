//! Tests of the decision before a prompt cache expires.

use expect_test::{Expect, expect};

use super::{WaitingChoice, WaitingSession, decide_waiting};
use crate::priced::RequestPrices;

const PRICES: RequestPrices = RequestPrices { read: 0.1, write: 1.25, refetch: 0.0, output: 5.0, long: None };

/// A session of 100,000 tokens, all cached, that a model would summarize.
fn session() -> WaitingSession {
    WaitingSession {
        tokens: 100_000,
        cached: 100_000,
        left: 20_000,
        summary_now: 20_000.0,
        summary_later: 110_000.0,
        may_warm: false,
    }
}

fn check(session: WaitingSession, choice: WaitingChoice, expected: &Expect) {
    let terms = decide_waiting(PRICES, &session);
    assert_eq!(terms.choice, choice);
    expected.assert_eq(&terms.sentence());
}

#[test]
fn a_summary_is_written_while_it_can_read_the_cache() {
    check(
        session(),
        WaitingChoice::Compact,
        &expect![
            "compacts before the prompt cache expires: expected token-equivalents 93,750 if it expires, 38,750 compacted now, 17,505 with the cache warm"
        ],
    );
}

#[test]
fn a_summary_by_rule_can_wait() {
    let by_rule = WaitingSession { summary_now: 0.0, summary_later: 0.0, ..session() };
    assert_eq!(decide_waiting(PRICES, &by_rule).choice, WaitingChoice::LetExpire);
}

#[test]
fn the_cache_is_kept_warm_only_if_that_is_allowed() {
    let allowed = WaitingSession { may_warm: true, ..session() };
    assert_eq!(decide_waiting(PRICES, &allowed).choice, WaitingChoice::KeepWarm);
}

#[test]
fn a_small_session_is_left_alone() {
    let small = WaitingSession { tokens: 9_000, cached: 9_000, left: 8_000, ..session() };
    assert_eq!(decide_waiting(PRICES, &small).choice, WaitingChoice::LetExpire);
    let incompressible = WaitingSession { left: 100_000, summary_now: 0.0, ..session() };
    assert_eq!(decide_waiting(PRICES, &incompressible).choice, WaitingChoice::LetExpire);
}
