//! Usage by model, from reports.

use throughline_conversation::Purpose;

use super::*;

fn to(model: Origin) -> SideRequest {
    SideRequest { purpose: Purpose::Summary, model, server: None }
}

#[test]
fn the_last_report_of_each_request_counts_for_its_model() {
    let spending = Spending::default();
    let usage = |input| Usage { input, output: 1, ..Usage::default() };
    let (small, large) = (Origin::new("p", "small"), Origin::new("p", "large"));
    let requests = [&small, &large, &small, &small, &large].map(|origin| spending.asks(to(origin.clone())));
    spending.used(requests[0], usage(5));
    spending.used(requests[0], usage(10));
    spending.used(requests[1], usage(100));
    // The third is never reported about, and the last was not taken.
    spending.used(requests[3], usage(20));
    spending.not_taken(requests[4]);
    spending.used(99, usage(1_000));
    let sum = |origin, requests, input, unreported| {
        let usage = Usage { input, output: requests, ..Usage::default() };
        ModelUse { origin, requests, usage, unreported }
    };
    assert_eq!(spending.sums(), [sum(small, 2, 30, 1), sum(large, 1, 100, 0)]);
    let spending = Spending::default();
    assert_eq!(spending.sums(), []);
    spending.not_taken(spending.asks(to(Origin::new("p", "m"))));
    assert_eq!(spending.sums(), []);
}
