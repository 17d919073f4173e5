//! The cached share of the window and its price.

use throughline_completion::Prices;

use super::*;

#[test]
fn the_front_of_the_request_is_what_the_cache_has() {
    let used = Components { system: 1_000, skills: 0, tools: 2_000, conversation: 10_000 };
    let usage = Usage { input: 500, cache_read: 5_000, cache_write: 6_000, output: 9, searches: 0 };
    let price = Price {
        multiples: Prices::anthropic(),
        dollars_per_million_input: Some(10.0),
        dollars_per_search: None,
    };
    let paid = Paid { usage, price };
    let shares = shares(used, Some(&paid));
    let seen: Vec<(&str, u64, u64)> =
        shares.iter().map(|share| (share.name, share.tokens, share.cached)).collect();
    assert_eq!(
        seen,
        [
            ("tools", 2_000, 2_000),
            ("system prompt", 1_000, 1_000),
            ("skills", 0, 0),
            ("conversation", 10_000, 2_000)
        ]
    );
    // Together they cost what the request cost.
    let sum: f64 = shares.iter().filter_map(|share| share.dollars).sum();
    assert!((sum - (500.0 + 7_500.0 + 500.0) * 10.0 / 1e6).abs() < 1e-9, "{sum}");
}

#[test]
fn before_the_first_request_nothing_is_cached_and_no_price_is_shown() {
    let used = Components { system: 1, skills: 2, tools: 3, conversation: 4 };
    assert!(shares(used, None).iter().all(|share| share.cached == 0 && share.dollars.is_none()));
}
