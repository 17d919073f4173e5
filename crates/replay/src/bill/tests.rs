//! Bills, computed by hand.

use throughline_completion::PrefixUse;

use super::{Bill, BilledRequest, SummaryUse};

const fn split(read: u64, write: u64) -> PrefixUse {
    PrefixUse { read, write, uncached: 0 }
}

#[test]
fn a_pause_makes_the_whole_prefix_a_write_and_regret_is_a_step() {
    let mut bill = Bill::anthropic();
    let first = BilledRequest { warm: split(0, 1_000), full: split(0, 1_000), ..BilledRequest::default() };
    let later = BilledRequest { warm: split(1_000, 100), full: split(1_000, 300), idle_ms: 300_001, ..first };
    let missed = BilledRequest { refetch: true, idle_ms: 10, ..later };
    assert!((bill.add(&first) - 1_250.0).abs() < 1e-6);
    assert!((bill.add(&later) - 1_375.0).abs() < 1e-6);
    assert!((bill.add(&missed) - 225.0).abs() < 1e-6);
    assert_eq!(bill.restarts, 1);
    assert!((bill.cost - (1_250.0 + 1_375.0 + 225.0)).abs() < 1e-6);
    assert!((bill.cost_without_clock - (1_250.0 + 225.0 + 225.0)).abs() < 1e-6);
    assert!((bill.full - (1_250.0 + 1_625.0 + 475.0)).abs() < 1e-6);
    // The request read, 1,500 tokens written, 100 tokens of output.
    assert!((bill.regret - (110.0 + 1_875.0 + 500.0)).abs() < 1e-6);
    let mut openai = Bill::openai();
    openai.add(&first);
    assert!((openai.add(&later) - 200.0).abs() < 1e-6, "its cache lasts longer");
}

#[test]
fn a_summary_costs_its_request_and_its_output() {
    let mut bill = Bill::anthropic();
    let summary = Some(SummaryUse { warm: split(10_000, 500), output: 2_000 });
    let request = BilledRequest {
        warm: split(6_000, 2_000),
        full: split(10_000, 500),
        summary,
        ..BilledRequest::default()
    };
    let own = 600.0 + 2_500.0;
    assert!((bill.add(&request) - (own + 1_000.0 + 625.0 + 10_000.0)).abs() < 1e-6);
    // After a pause the summary's request writes the prefix, and so warms the front of the next.
    let cold = BilledRequest { idle_ms: 400_000, ..request };
    assert!((bill.add(&cold) - (own + 13_125.0 + 10_000.0)).abs() < 1e-6);
}
