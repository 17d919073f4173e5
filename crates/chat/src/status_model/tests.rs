//! Figures of the status line.

use throughline_conversation::{AnswerIdentity, Components, FigureSource, ModelUse, Usage};

use super::*;

fn answered(usage: Option<Usage>) -> Event {
    Event::Answered { usage, stop: "end_turn".to_owned(), identity: AnswerIdentity::default() }
}

#[test]
fn a_cost_is_shown_from_the_first_request_on() {
    let mut status = StatusModel::default();
    status.price_by(&ModelTable::builtin(), CacheTtl::default());
    status.answers("anthropic", "claude-opus-4-1");
    assert_eq!((status.line().dollars, status.line().cached_percent), (None, None));
    let usage = Usage { input: 1_000_000, cache_read: 3_000_000, ..Usage::default() };
    assert!(status.take(&answered(Some(usage))));
    let known = status.line();
    assert!(known.dollars.is_some() && !known.dollars_at_least);
    assert_eq!(known.cached_percent, Some(75));
    // An answer that was stopped, and one that came without a report.
    let mut used = ModelUse::of(Origin::new("anthropic", "claude-opus-4-1"));
    used.add_unreported();
    assert!(status.take(&Event::Spent(used)));
    status.take(&answered(None));
    let line = status.line();
    assert_eq!((line.dollars, line.dollars_at_least), (known.dollars, true));
    assert_eq!((status.cost().all_requests(), status.cost().unreported), (3, 2));
}

#[test]
fn an_unknown_price_is_not_shown() {
    let mut status = StatusModel::default();
    status.take(&answered(Some(Usage { input: 1, ..Usage::default() })));
    assert_eq!(status.line().dollars, None);
}

#[test]
fn the_window_is_shown_in_whole_percents_of_the_effective_window() {
    let mut status = StatusModel::default();
    let used = Components { conversation: 899, ..Components::default() };
    status.window(WindowFigures { total: 1_000, reserved_output: 100, used, source: FigureSource::Exact });
    assert_eq!(status.line().context_percent, Some(99));
}
