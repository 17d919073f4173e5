//! Decisions about measured requests.

use throughline_budget::{ContextBudget, Limits};
use throughline_conversation::EditReason;

use super::{Decision, EarlyCompaction, decide};
use crate::window::RequestSize;

const LIMITS: Limits =
    Limits { notice: None, warn: None, compact: Some(80), block: Some(95), effective_window: 100 };

fn size(used: u64, upper: u64) -> RequestSize {
    let mut budget = ContextBudget::new(110, 10);
    budget.conversation = used;
    RequestSize { budget, upper, raw: used }
}

fn at(used: u64, upper: u64, early: EarlyCompaction) -> Decision {
    decide(&size(used, upper), &LIMITS, early)
}

#[test]
fn the_block_level_is_compared_with_the_upper_bound() {
    let never = EarlyCompaction::default();
    assert_eq!(at(70, 94, never), Decision::Send);
    assert_eq!(at(70, 95, never), Decision::Block);
    assert_eq!(at(80, 95, never), Decision::Block, "a blocked request is not merely due");
    let unlimited = Limits { block: None, ..LIMITS };
    assert_eq!(decide(&size(70, 100), &unlimited, never), Decision::Send);
    assert_eq!(decide(&size(70, 101), &unlimited, never), Decision::Block);
}

#[test]
fn the_compact_threshold_is_compared_with_the_used_tokens() {
    let never = EarlyCompaction::default();
    assert_eq!(at(79, 90, never), Decision::Send);
    assert_eq!(at(80, 90, never), Decision::Compact(EditReason::CompactThreshold));
}

#[test]
fn early_compactions_need_their_threshold_or_a_batch() {
    let early = EarlyCompaction { threshold: Some(40), ..EarlyCompaction::default() };
    assert_eq!(at(39, 45, early), Decision::Send);
    assert_eq!(at(40, 45, early), Decision::Compact(EditReason::Early));
    let batch = EarlyCompaction { batch_due: true, ..EarlyCompaction::default() };
    assert_eq!(at(1, 2, batch), Decision::Compact(EditReason::Early));
    assert_eq!(at(80, 85, early), Decision::Compact(EditReason::CompactThreshold), "the due reason is named");
}
