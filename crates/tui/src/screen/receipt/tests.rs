//! Receipts of turns.

use std::time::Duration;

use expect_test::expect;

use super::receipt;
use crate::port::TurnCost;
use crate::turn::{CallCounts, EndedTurn, Outcome, TurnWork};

fn ended(seconds: u64, calls: usize, outcome: Outcome) -> EndedTurn {
    let calls = CallCounts { calls, ..CallCounts::default() };
    EndedTurn {
        outcome,
        work: Some(TurnWork { took: Duration::from_secs(seconds), answers: 1, calls, compacted: false }),
    }
}

fn shown(ended: &EndedTurn, cost: TurnCost, columns: usize) -> String {
    receipt(ended, cost, columns).map_or_else(|| "none".to_owned(), |line| line.text())
}

const COST: TurnCost = TurnCost { dollars: Some(0.08), at_least: false, cached_percent: Some(91) };

#[test]
fn a_turn_says_what_it_took() {
    let mut edited = ended(42, 6, Outcome::Completed);
    if let Some(work) = &mut edited.work {
        work.calls.files.insert("src/parser.py".to_owned());
        (work.calls.plus, work.calls.minus, work.calls.failed) = (1, 2, 1);
    }
    let mut by_command = ended(42, 6, Outcome::Completed);
    if let Some(work) = &mut by_command.work {
        work.calls.files.insert("h.txt".to_owned());
        (work.calls.plus, work.calls.minus) = (1, 0);
        work.calls.reported.extend(["/w/f.txt", "/w/g.txt", "/w/h.txt"].map(Into::into));
    }
    let mut refused = ended(3, 2, Outcome::Completed);
    if let Some(work) = &mut refused.work {
        work.calls.refused = 1;
    }
    let at_least = TurnCost { at_least: true, ..COST };
    let lines = [
        shown(&edited, COST, 80),
        shown(&by_command, COST, 80),
        shown(&edited, COST, 40),
        shown(&edited, COST, 20),
        shown(&refused, TurnCost::default(), 40),
        shown(&ended(0, 1, Outcome::Completed), TurnCost::default(), 40),
        shown(&ended(65, 0, Outcome::Completed), at_least, 40),
        shown(&ended(7, 1, Outcome::Interrupted), COST, 60),
        shown(&ended(0, 0, Outcome::Failed), TurnCost::default(), 40),
        // Short turns without a call have nothing to say.
        shown(&ended(2, 0, Outcome::Completed), COST, 60),
    ];
    expect![[r#"
        ── 42s · 6 calls, 1 failed · 1 file +1 −2 · $0.08 · 91% cached ──
        ── 42s · 6 calls · 3 files · $0.08 · 91% cached ──
        ── 42s · 6 calls, 1 failed ──
        ── 42s ──
        ── 3s · 2 calls, 1 refused ──
        ── <1s · 1 call ──
        ── 1m 05s · ≥$0.08 · 91% cached ──
        ── stopped after 7s · 1 call · $0.08 · 91% cached ──
        ── failed after <1s ──
        none"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_compaction_has_a_notice_and_no_receipt() {
    let mut ended = ended(9, 0, Outcome::Completed);
    if let Some(work) = &mut ended.work {
        work.compacted = true;
    }
    assert_eq!(shown(&ended, COST, 60), "none");
    // A command that the user runs asks no model.
    if let Some(work) = &mut ended.work {
        (work.compacted, work.answers, work.calls.calls) = (false, 0, 1);
    }
    assert_eq!(shown(&ended, COST, 60), "none");
    let idle = EndedTurn { outcome: Outcome::Completed, work: None };
    assert_eq!(shown(&idle, COST, 60), "none");
}
