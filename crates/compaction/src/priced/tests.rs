//! Decisions by price.

use std::collections::BTreeMap;

use throughline_conversation::{LongPrompt, PriceVerdict};
use throughline_ledger::StepKind;

use super::{
    PricePolicy, PriceState, PricedRequest, PricedSummary, RequestPrices, UnchangedReads, decide_by_price,
};

const PRICES: RequestPrices =
    RequestPrices { read: 0.1, write: 1.25, refetch: 2_375.0, output: 5.0, long: None };

fn policy() -> PricePolicy {
    PricePolicy {
        patience: 10.0,
        overdue: 30.0,
        cold_regret: 2.0,
        needed_later: BTreeMap::from([(StepKind::User, 0.5), (StepKind::Edit, 2.5)]),
        unchanged_reads: UnchangedReads { least: 8, within: 50, needed_later: 20.0 },
        done_after: vec![StepKind::User],
        smallest_gain: 2_000,
        smallest_first_gain: 2_000,
        growth: 8_000,
        first_residue: 5_000.0,
        learning: 0.5,
    }
}

fn request(tokens: u64, follows: StepKind) -> PricedRequest {
    PricedRequest {
        first: false,
        tokens,
        cached: 55_000,
        front: 10_000,
        newest: 1_000,
        follows,
        unchanged_files: 0,
        idle_ms: Some(0),
        cold: false,
        summary: None,
    }
}

fn state(paid: f64) -> PriceState {
    PriceState { paid, residue: 5_000.0 }
}

#[test]
fn the_terms_of_a_warm_compaction_are_what_it_writes_less_what_the_request_costs_without_it() {
    let terms = decide_by_price(&policy(), PRICES, state(0.0), &request(56_000, StepKind::User));
    assert_eq!((terms.request, terms.left), (56_000, 16_000));
    // 6,000 written and 10,000 read, instead of 55,000 read and 1,000 written.
    assert!((terms.cost - (7_500.0 + 1_000.0 - 5_500.0 - 1_250.0)).abs() < 1e-6, "{terms:?}");
    assert!((terms.regret - (2_400.0 + 2_375.0) * 0.5).abs() < 1e-6, "{terms:?}");
    assert!((terms.saving - 4_000.0).abs() < 1e-6 && (terms.paid - 4_000.0).abs() < 1e-6, "{terms:?}");
    assert_eq!(terms.verdict, PriceVerdict::NotPaid);
}

#[test]
fn a_compaction_waits_until_old_content_has_cost_its_share_and_a_piece_of_work_is_done() {
    let verdict =
        |paid, follows| decide_by_price(&policy(), PRICES, state(paid), &request(56_000, follows)).verdict;
    assert_eq!(verdict(20_000.0, StepKind::User), PriceVerdict::NotPaid);
    assert_eq!(verdict(60_000.0, StepKind::User), PriceVerdict::Compacts);
    assert_eq!(verdict(60_000.0, StepKind::Edit), PriceVerdict::NotPaid);
    assert_eq!(verdict(200_000.0, StepKind::Edit), PriceVerdict::Waits);
    assert_eq!(verdict(600_000.0, StepKind::Edit), PriceVerdict::Overdue);
}

#[test]
fn a_compaction_that_leaves_the_price_of_long_prompts_saves_more() {
    let long = Some(LongPrompt { over: 50_000, input: 2.0, output: 1.5 });
    let prices = RequestPrices { long, ..PRICES };
    let terms = decide_by_price(&policy(), prices, state(0.0), &request(56_000, StepKind::User));
    // What would be sent costs twice as much; what is left does not.
    assert!((terms.cost - (7_500.0 + 1_000.0 - 11_000.0 - 2_500.0)).abs() < 1e-6, "{terms:?}");
    assert!((terms.saving - (11_200.0 - 1_600.0)).abs() < 1e-6, "{terms:?}");
    assert_eq!(terms.verdict, PriceVerdict::Compacts);
}

#[test]
fn with_a_cold_cache_a_compaction_saves_at_once() {
    let cold = PricedRequest { cold: true, cached: 0, ..request(56_000, StepKind::Edit) };
    let terms = decide_by_price(&policy(), PRICES, state(0.0), &cold);
    assert!((terms.cost + 50_000.0).abs() < 1e-6, "{terms:?}");
    // Regret is twice that of a warm cache.
    assert!((terms.regret - (2_400.0 + 2_375.0) * 2.5 * 2.0).abs() < 1e-6, "{terms:?}");
    assert_eq!(terms.verdict, PriceVerdict::Compacts);
}

#[test]
fn the_price_of_a_model_s_summary_counts() {
    let summary = Some(PricedSummary { price: 80_000.0, steps: 0.0, is_optional: false });
    let cold = PricedRequest { cold: true, cached: 0, summary, ..request(56_000, StepKind::Edit) };
    let terms = decide_by_price(&policy(), PRICES, state(0.0), &cold);
    assert_eq!((terms.verdict, terms.by_model), (PriceVerdict::NotPaid, true), "{terms:?}");
}

#[test]
fn a_summary_that_may_be_written_by_rule_is_asked_for_where_it_saves_more_than_it_costs() {
    let decide = |price, steps, paid| {
        let summary = Some(PricedSummary { price, steps, is_optional: true });
        let request = PricedRequest { summary, ..request(56_000, StepKind::User) };
        decide_by_price(&policy(), PRICES, state(paid), &request)
    };
    // 0.5 steps are expected, for 2,387 token-equivalents.
    let asked = decide(2_000.0, 0.4, 80_000.0);
    assert_eq!((asked.verdict, asked.by_model), (PriceVerdict::Compacts, true));
    assert!((asked.summary - 2_000.0).abs() < 1e-6, "{asked:?}");
    for (price, steps, paid) in [(3_000.0, 0.4, 80_000.0), (2_000.0, 0.6, 80_000.0), (2_000.0, 0.4, 50_000.0)]
    {
        let by_rule = decide(price, steps, paid);
        assert_eq!((by_rule.verdict, by_rule.by_model), (PriceVerdict::Compacts, false), "{by_rule:?}");
        assert!(
            by_rule.summary.abs() < 1e-6 && (by_rule.cost - asked.cost + 2_000.0).abs() < 1e-6,
            "{by_rule:?}"
        );
    }
}

#[test]
fn a_small_request_is_left_alone_even_when_the_cache_is_cold() {
    let cold = PricedRequest { cold: true, cached: 0, ..request(17_500, StepKind::User) };
    let terms = decide_by_price(&policy(), PRICES, PriceState::new(&policy()), &cold);
    assert_eq!(terms.verdict, PriceVerdict::Lean);
}

#[test]
fn the_state_counts_what_is_paid_until_a_compaction() {
    let terms = decide_by_price(&policy(), PRICES, state(1_000.0), &request(56_000, StepKind::Edit));
    let after = PriceState { paid: terms.paid, residue: terms.residue };
    assert!((after.paid - 5_000.0).abs() < 1e-6, "{after:?}");
    assert!(after.compacted().paid.abs() < 1e-6);
    assert!((policy().learned(5_000.0, 7_000) - 6_000.0).abs() < 1e-6);
}

#[test]
fn files_that_were_read_and_not_changed_are_expected_to_be_needed() {
    let answered = |unchanged_files| {
        let request = PricedRequest { unchanged_files, ..request(56_000, StepKind::User) };
        decide_by_price(&policy(), PRICES, state(60_000.0), &request)
    };
    // Fewer than eight say nothing.
    assert_eq!((answered(7).verdict, answered(7).unchanged_files), (PriceVerdict::Compacts, 0));
    let many = answered(8);
    assert_eq!((many.verdict, many.unchanged_files), (PriceVerdict::NotPaid, 8));
    assert!((many.regret - (2_400.0 + 2_375.0) * 20.0).abs() < 1e-6, "{many:?}");
}
