//! Tests of what compactions save and cost.

use throughline_conversation::{
    CompactionReceipt, Degradation, Edit, EditReason, ModelUse, Origin, PolicyRecord, PriceTerms,
    PriceVerdict, Receipt, RecordBody, RegretReceipt, Seq, Usage,
};
use throughline_testkit::receipt;

use super::{Balance, CompactionBalances, NeededAgain};
use crate::priced::RequestPrices;

const PRICES: RequestPrices =
    RequestPrices { read: 0.1, write: 1.25, refetch: 2_375.0, output: 5.0, long: None };

fn compaction(asked: Vec<ModelUse>) -> Option<CompactionReceipt> {
    Some(CompactionReceipt {
        reason: EditReason::Early,
        before_tokens: 50_000,
        after_tokens: 10_000,
        before_messages: 90,
        after_messages: 4,
        strategies: Vec::new(),
        rewritten_tokens: 8_000,
        pays_back_after: None,
        trimmed: 0,
        pins: 0,
        lost: Vec::new(),
        lost_count: 0,
        blocked_ms: 0,
        authors: Vec::new(),
        asked,
    })
}

fn regret(edit: u64, price: f64) -> RegretReceipt {
    RegretReceipt { edit: Seq(edit), lines: vec!["a line".to_owned()], price, ..Default::default() }
}

#[test]
fn a_compaction_saves_with_each_request_and_costs_what_it_writes() {
    let mut balances = CompactionBalances::default();
    balances.compacted(Seq(5));
    balances.answered(&Receipt { compaction: compaction(Vec::new()), ..receipt() }, PRICES);
    let first = balances.total();
    // 40,000 tokens are not read, 8,000 are written that would have been read.
    assert!((first.saved - (4_000.0 - 1.15 * 8_000.0)).abs() < 1e-6, "{first:?}");
    balances.answered(&receipt(), PRICES);
    assert!((balances.total().saved - first.saved - 4_000.0).abs() < 1e-6);
    assert!(!balances.total().is_regretted(), "nothing was needed");
}

#[test]
fn a_summary_of_a_model_is_a_part_of_the_cost() {
    let mut used = ModelUse::of(Origin::new("p", "m"));
    used.add(Usage { input: 1_000, cache_read: 40_000, cache_write: 0, output: 600, searches: 0 });
    let saved = |asked| {
        let mut balances = CompactionBalances::default();
        balances.compacted(Seq(5));
        balances.answered(&Receipt { compaction: compaction(asked), ..receipt() }, PRICES);
        balances.total().saved
    };
    let difference = saved(Vec::new()) - saved(vec![used]);
    assert!((difference - (1_000.0 + 4_000.0 + 3_000.0)).abs() < 1e-6, "{difference}");
}

#[test]
fn what_is_needed_again_belongs_to_its_compaction_and_policy() {
    let mut balances = CompactionBalances::default();
    let policy = |economy: Option<&str>| PolicyRecord {
        name: "throughline".to_owned(),
        before: None,
        economy: economy.map(str::to_owned),
    };
    balances.policy(&policy(None));
    balances.compacted(Seq(5));
    balances.answered(&Receipt { regret: vec![regret(5, 6_000.0)], ..receipt() }, PRICES);
    assert!(balances.since_dial().is_regretted());
    balances.policy(&policy(Some("balanced")));
    assert!(!balances.since_dial().is_regretted(), "the count starts again with the dial");
    balances.compacted(Seq(9));
    balances.answered(&Receipt { regret: vec![regret(9, 100.0), regret(5, 50.0)], ..receipt() }, PRICES);
    let by = balances.by_policy();
    assert_eq!(by.keys().copied().collect::<Vec<_>>(), ["throughline", "throughline balanced"]);
    assert_eq!((by["throughline"].regret, by["throughline balanced"].regret), (6_050.0, 100.0));
    assert_eq!(balances.total().needed.lines, 3);
}

#[test]
fn what_is_needed_again_adds_up_by_kind() {
    let mut balances = CompactionBalances::default();
    balances.compacted(Seq(5));
    let needed = RegretReceipt {
        edit: Seq(5),
        names: vec!["a".to_owned(), "b".to_owned()],
        files: vec!["a.rs".to_owned()],
        read_back: vec!["r1".to_owned(), "r2".to_owned(), "r3".to_owned()],
        ..regret(5, 10.0)
    };
    for _ in 0..2 {
        balances.answered(&Receipt { regret: vec![needed.clone()], ..receipt() }, PRICES);
    }
    let total = balances.total();
    let counts = (total.needed.names, total.needed.lines, total.needed.files, total.needed.read_back);
    assert_eq!(counts, (4, 2, 2, 6));
    assert!((total.regret - 20.0).abs() < 1e-9, "{total:?}");
}

#[test]
fn a_summary_costs_all_that_was_read_written_and_answered_for_it() {
    let usage = Usage { input: 100, cache_read: 1_000, cache_write: 40, output: 20, searches: 0 };
    let asked = ModelUse::of_request(Origin::new("p", "m"), Some(usage));
    let mut balances = CompactionBalances::default();
    let mut free = CompactionBalances::default();
    for (balances, asked) in [(&mut balances, vec![asked]), (&mut free, Vec::new())] {
        balances.compacted(Seq(5));
        balances.answered(&Receipt { compaction: compaction(asked), ..receipt() }, PRICES);
    }
    let price = free.total().saved - balances.total().saved;
    assert!((price - (100.0 + 100.0 + 50.0 + 100.0)).abs() < 1e-6, "{price}");
}

#[test]
fn the_records_of_a_session_are_followed() {
    let mut balances = CompactionBalances::default();
    let edit = |reason| RecordBody::Edit(Edit { reason, actions: Vec::new(), strategies: Vec::new() });
    let lost = Degradation { subsystem: "a".to_owned(), fallback: "b".to_owned(), cause: "c".to_owned() };
    let policy = PolicyRecord { name: "throughline".to_owned(), before: None, economy: None };
    let answered = Receipt { regret: vec![regret(3, 10.0)], ..receipt() };
    for (seq, body) in [
        (1, RecordBody::Policy(policy)),
        (2, edit(EditReason::Rewound)),
        (3, edit(EditReason::Early)),
        (4, RecordBody::Degraded(lost)),
        (5, edit(EditReason::Window)),
        (6, edit(EditReason::Pictures)),
        (7, RecordBody::Receipt(Box::new(answered))),
    ] {
        balances.add(Seq(seq), &body, PRICES);
    }
    let all: Vec<(u64, Option<&str>, f64)> =
        balances.all().iter().map(|one| (one.edit.0, one.policy.as_deref(), one.balance.regret)).collect();
    assert_eq!(all, [(3, Some("throughline"), 10.0), (6, Some("throughline"), 0.0)]);
    assert_eq!(balances.total().compactions, 2);
}

#[test]
fn behind_an_expired_cache_all_is_written() {
    let terms = PriceTerms {
        verdict: PriceVerdict::Compacts,
        follows: "an edit".to_owned(),
        idle_ms: None,
        cold: true,
        request: 0,
        left: 0,
        cost: 0.0,
        regret: 0.0,
        unchanged_files: 0,
        summary: 0.0,
        by_model: false,
        saving: 0.0,
        paid: 0.0,
        residue: 0.0,
    };
    let mut balances = CompactionBalances::default();
    balances.compacted(Seq(5));
    let cold = Receipt { compaction: compaction(Vec::new()), price: Some(terms), ..receipt() };
    balances.answered(&cold, PRICES);
    // 40,000 tokens are not written, and the compaction itself costs nothing.
    assert!((balances.total().saved - 1.25 * 40_000.0).abs() < 1e-6, "{:?}", balances.total());
}

#[test]
fn a_compaction_is_regretted_if_more_was_needed_again_than_saved() {
    let regretted = |regret, saved| Balance { regret, saved, ..Balance::default() }.is_regretted();
    for (regret, saved, expected) in
        [(0.0, 0.0, false), (0.0, -5.0, false), (1.0, -5.0, true), (5.0, 5.0, false), (6.0, 5.0, true)]
    {
        assert_eq!(regretted(regret, saved), expected, "{regret}, {saved}");
    }
    assert!(NeededAgain::default().is_nothing());
    assert!(!NeededAgain { files: 1, ..NeededAgain::default() }.is_nothing());
}
