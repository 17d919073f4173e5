//! Sums over requests of several models.

use throughline_conversation::{LongPrompt, ModelUse, Origin, Usage};

use super::{Cost, Dollars, Price};
use crate::model_info::Prices;

const INPUT: Usage = Usage { input: 1_000_000, cache_read: 0, cache_write: 0, output: 0, searches: 0 };

fn price(dollars: f64) -> Price {
    Price {
        multiples: Prices::anthropic(),
        dollars_per_million_input: Some(dollars),
        dollars_per_search: None,
    }
}

fn side(requests: u64, unreported: u64) -> ModelUse {
    let mut used = ModelUse::of(Origin::new("p", "m"));
    (0..requests).for_each(|_| used.add(INPUT));
    (0..unreported).for_each(|_| used.add_unreported());
    used
}

#[test]
fn every_part_of_the_usage_has_its_own_price() {
    let usage =
        Usage { input: 100_000, cache_read: 900_000, cache_write: 80_000, output: 10_000, searches: 0 };
    let dollars = price(3.0).dollars(usage).unwrap();
    assert!((dollars - (100_000.0 + 90_000.0 + 100_000.0 + 50_000.0) * 3.0 / 1e6).abs() < 1e-9, "{dollars}");
    assert_eq!(Price::UNKNOWN.dollars(usage), None);
}

/// Twice as much above 200,000 tokens, and half as much again for the output.
fn tiered() -> Price {
    let long = Some(LongPrompt { over: 200_000, input: 2.0, output: 1.5 });
    Price {
        multiples: Prices { long, ..Prices::anthropic() },
        dollars_per_million_input: Some(1.0),
        dollars_per_search: None,
    }
}

#[test]
fn a_long_prompt_has_another_price_for_all_of_its_request() {
    let usage =
        |cache_read| Usage { input: 1_000, cache_read, cache_write: 1_000, output: 1_000, searches: 0 };
    let usual = tiered().dollars(usage(198_000)).unwrap();
    assert!((usual - (1_000.0 + 19_800.0 + 1_250.0 + 5_000.0) / 1e6).abs() < 1e-9, "{usual}");
    let long = tiered().dollars(usage(198_010)).unwrap();
    assert!((long - (2.0 * (1_000.0 + 19_801.0 + 1_250.0) + 7_500.0) / 1e6).abs() < 1e-9, "{long}");
    // Parts of the request have the price of its whole prompt.
    let price = tiered().of_prompt(usage(198_010).prompt());
    let parts = [Usage { output: 0, ..usage(198_010) }, Usage { output: 1_000, ..Usage::default() }];
    let sum: f64 = parts.iter().filter_map(|part| price.dollars(*part)).sum();
    assert!((sum - long).abs() < 1e-9, "{sum}");
}

#[test]
fn a_sum_of_requests_that_may_have_had_long_prompts_is_a_lower_bound() {
    let sum = |requests, input| {
        let mut cost = Cost::default();
        let usage = Usage { input, ..Usage::default() };
        let origin = Origin::new("p", "m");
        cost.add_side_requests(&ModelUse { origin, requests, usage, unreported: 0 }, &tiered());
        (cost.dollars(), cost.unclear)
    };
    assert_eq!(sum(1, 400_000), (Dollars::Exact(0.8), 0));
    assert_eq!(sum(2, 200_000), (Dollars::Exact(0.2), 0));
    assert_eq!(sum(2, 400_000), (Dollars::AtLeast(0.4), 2));
}

#[test]
fn each_request_is_priced_at_its_own_model() {
    let mut cost = Cost::default();
    cost.add_request(Some(INPUT), &price(15.0));
    cost.add_side_requests(&side(2, 0), &price(1.0));
    cost.add_request(Some(INPUT), &price(3.0));
    assert_eq!(cost.dollars(), Dollars::Exact(20.0));
    assert_eq!((cost.requests, cost.side_requests, cost.usage.input), (2, 2, 4_000_000));
    let mut both = cost.clone();
    both.add(&cost);
    assert_eq!((both.dollars(), both.all_requests()), (Dollars::Exact(40.0), 8));
}

#[test]
fn an_unreported_usage_makes_the_sum_a_lower_bound() {
    let mut cost = Cost::default();
    cost.add_request(Some(INPUT), &price(15.0));
    cost.add_request(None, &price(15.0));
    cost.add_side_requests(&side(0, 1), &price(15.0));
    assert_eq!(cost.dollars(), Dollars::AtLeast(15.0));
    assert_eq!((cost.requests, cost.side_requests, cost.unreported), (2, 1, 2));
    assert_eq!((cost.dollars().exact(), cost.dollars().at_least()), (None, Some(15.0)));
}

#[test]
fn an_unknown_price_makes_the_sum_a_lower_bound_or_unknown() {
    let mut cost = Cost::default();
    cost.add_request(Some(INPUT), &Price::UNKNOWN);
    cost.add_request(None, &Price::UNKNOWN);
    assert_eq!((cost.dollars(), cost.unpriced), (Dollars::Unknown, 2));
    cost.add_request(Some(INPUT), &price(3.0));
    assert_eq!(cost.dollars(), Dollars::AtLeast(3.0));
}

#[test]
fn a_free_model_costs_nothing_even_without_a_report() {
    let mut cost = Cost::default();
    assert_eq!((cost.dollars(), cost.cached_percentage()), (Dollars::Exact(0.0), None));
    cost.add_request(None, &price(0.0));
    assert_eq!((cost.dollars(), cost.unreported), (Dollars::Exact(0.0), 1));
}

#[test]
fn the_cached_share_is_of_the_input_alone() {
    let mut cost = Cost::default();
    let usage = Usage { input: 100, cache_read: 800, cache_write: 100, output: 5_000, searches: 0 };
    cost.add_request(Some(usage), &price(1.0));
    assert_eq!(cost.cached_percentage(), Some(80));
}
