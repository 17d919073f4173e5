//! Usage by model, from reports.

use std::sync::Mutex;

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

/// Remembers what it hears.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl RequestObserver for Heard {
    fn asked(&self, request: SideRequest) {
        self.0.lock().unwrap().push(format!("asked {}", request.model.model));
    }

    fn ended(&self, answer: SideAnswer) {
        let input = answer.usage.map(|usage| usage.input);
        self.0.lock().unwrap().push(format!("{:?}, {input:?}", answer.outcome));
    }
}

#[test]
fn an_observer_hears_of_each_request_and_of_its_end() {
    let heard = Heard::default();
    let spending = Spending::observed(&heard);
    let first = spending.asks(to(Origin::new("p", "small")));
    let second = spending.asks(to(Origin::new("p", "large")));
    assert_eq!((first, second), (0, 1));
    spending.used(first, Usage { input: 7, ..Usage::default() });
    spending.ended(first, SideOutcome::Stopped);
    spending.not_taken(second);
    spending.ended(second, SideOutcome::NotSent);
    spending.ended(99, SideOutcome::Failed("network"));
    let heard = heard.0.into_inner().unwrap();
    assert_eq!(
        heard,
        ["asked small", "asked large", "Stopped, Some(7)", "NotSent, None", "Failed(\"network\"), None"]
    );
}
