//! Peers over small sessions.

use std::fmt::Write;
use std::sync::Arc;

use throughline_conversation::Millis;
use throughline_testkit::WordCounter;

use super::{PeerOptions, PeerReport, replay_peers};
use crate::factor::TokenScale;
use crate::sample::session;
use crate::session::RecordedSession;

/// Turns of two steps each: a read with a result of 600 words, and an edit of what the read of five turns ago showed.
fn long(turns: usize) -> RecordedSession {
    let mut out = String::new();
    for turn in 0..turns {
        let words: String = (0..300).map(|word| format!(" word{word} in")).collect();
        let old = turn.saturating_sub(5);
        writeln!(out, "user: change number {turn}").unwrap();
        writeln!(out, "assistant: I look\n  -> a{turn} read {{\"path\": \"src/part_{turn}.rs\"}}").unwrap();
        writeln!(out, "results:\n  a{turn} = fn shown_{turn}() of this file\\n{words}").unwrap();
        writeln!(out, "assistant:\n  -> b{turn} edit {{\"old_string\": \"fn shown_{old}() of this file\"}}")
            .unwrap();
        writeln!(out, "results:\n  b{turn} = edited\nassistant: done with {turn}").unwrap();
    }
    session(&out)
}

fn options(window: u64) -> PeerOptions {
    PeerOptions {
        window,
        scale: TokenScale::Provider,
        max_output: 100,
        overhead: 500,
        counter: Arc::new(WordCounter),
        clock: true,
    }
}

fn of<'a>(reports: &'a [PeerReport], peer: &str) -> &'a PeerReport {
    reports.iter().find(|report| report.peer == peer).unwrap()
}

#[test]
fn in_a_window_without_end_every_peer_sends_the_whole_history_and_only_the_future_knows_better() {
    let reports = replay_peers(&long(6), &options(1_000_000));
    for report in reports.iter().filter(|report| !matches!(report.peer, "clairvoyant")) {
        assert_eq!((report.requests, report.dropped, report.prices.cuts), (18, 0, 0), "{report:?}");
        assert!((report.prices.ratio_anthropic_regret - 1.0).abs() < 1e-9, "{report:?}");
        assert!((report.prices.recall_edit_lines - 1.0).abs() < 1e-9, "{report:?}");
    }
    assert!(of(&reports, "clairvoyant").prices.ratio_anthropic_regret <= 1.0);
}

#[test]
fn in_a_small_window_each_peer_shrinks_in_its_own_way() {
    let reports = replay_peers(&long(120), &options(30_000));
    for report in &reports {
        let prices = &report.prices;
        assert!(prices.cuts > 0 && prices.ratio_anthropic_clock < 1.0, "{report:?}");
        assert!(report.mean_request_tokens < 30_000, "{report:?}");
    }
    let (claude, clear) = (of(&reports, "claude"), of(&reports, "clear_tool_uses"));
    assert!(claude.prices.summaries_anthropic > 0.0 && claude.prices.refetches > 0, "{claude:?}");
    assert!((clear.prices.summaries_anthropic).abs() < 1e-9, "it writes no summary");
    assert!(claude.prices.recall_edit_lines < 1.0, "{claude:?}");
    let bound = of(&reports, "clairvoyant");
    for name in ["claude", "codex"] {
        let own = of(&reports, name).prices.ratio_anthropic_regret;
        let lowest = bound.prices.ratio_anthropic_regret;
        assert!(lowest <= own, "{name} costs {own}, less than the bound {lowest}");
    }
}

#[test]
fn pauses_cost_a_peer_its_whole_prefix() {
    let mut timed = long(30);
    for (place, step) in timed.turns.iter_mut().flat_map(|turn| &mut turn.steps).enumerate() {
        step.asked_at = Some(Millis(place as i64 * 600_000));
    }
    let reports = replay_peers(&timed, &options(1_000_000));
    let claude = of(&reports, "claude");
    assert_eq!((claude.prices.idle_restarts_anthropic, claude.prices.idle_restarts_openai), (89, 0));
    assert!(claude.prices.cost_anthropic_clock > 2.0 * claude.prices.cost_anthropic, "{claude:?}");
    let bound = of(&reports, "clairvoyant");
    assert!(bound.prices.cost_anthropic_clock < claude.prices.cost_anthropic_clock);
    let still = PeerOptions { clock: false, ..options(1_000_000) };
    assert_eq!(of(&replay_peers(&timed, &still), "claude").prices.idle_restarts_anthropic, 0);
}
