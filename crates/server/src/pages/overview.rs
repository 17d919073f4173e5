//! The overview of a session, stored or read from a transcript: the drawing of its window, its turns, and what it cost.

use maud::{Markup, html};
use throughline_completion::Dollars;
use throughline_conversation::GroupStatus;

use super::chart::{at, chart};
use super::strip::line_of;
use super::text::{cost, counted, duration, figure, incomplete, lost, money, short_figure};
use crate::inspector::{CauseCost, RequestPoint, SessionFigures, TurnRow};
use crate::page::Page;

/// A compaction as the overview lists it.
#[derive(Debug, Clone, Default)]
pub(super) struct CompactionRow {
    pub(super) number: u64,
    /// The first request after it; `None`: none was sent.
    pub(super) request: Option<u64>,
    pub(super) why: String,
    pub(super) before: Option<u64>,
    pub(super) after: Option<u64>,
    pub(super) undone: bool,
    /// What it cost; `None`: that is not known.
    pub(super) dollars: Option<f64>,
    /// Dollars that requests after it did not pay for reading what had left; `None`: that is not known.
    pub(super) saved: Option<f64>,
    /// What else is known of it, one phrase each.
    pub(super) notes: Vec<String>,
}

/// The drawing of the requests.
pub(super) fn drawing(points: &[RequestPoint], links: Option<&str>) -> Markup {
    html! {
        section.card.wide {
            @if points.is_empty() { h2 { "The window, request by request" } p.empty { "No request was sent yet. The first one is drawn here when its answer has come." } }
            @else { (chart(points, links)) }
        }
    }
}

/// The turns, one row each.
pub(super) fn turns(
    turns: &[TurnRow],
    page: Page,
    points: &[RequestPoint],
    figures: &SessionFigures,
    links: Option<&str>,
) -> Markup {
    let page = page.within(turns.len());
    let room = points.iter().map(|point| point.window.effective_window()).max().unwrap_or(1);
    let room = room.max(points.iter().map(|point| point.window.used.total()).max().unwrap_or(1));
    let has_prices = turns.iter().any(|turn| turn.dollars != Dollars::Unknown);
    html! {
        section.card.turn-list {
            div.heading { h2 { "Turns" } span.sub { (figure(figures.turns)) } span.sub.far { "the bar: how the window moved · violet: compacted" } }
            @if turns.is_empty() { p.empty { "There is no turn yet." } }
            @else { ol.turn-rows { @for turn in page.of(turns) {
                li data-row="" {
                    span.number { (turn.turn) }
                    span.what {
                        @let text = if turn.request.is_empty() { "(no words of the user)" } else { turn.request.as_str() };
                        @if let Some(links) = links { a href={ (links) "/conversation?turn=" (turn.turn) "#turn-" (turn.turn) } dir="auto" { (text) } } @else { (text) }
                        @if turn.status != GroupStatus::Live { " " span.pill { (turn.status.name()) } }
                        @if let Some(cache) = &turn.missed { " " span.pill.warn { "cache lost: " (lost(cache)) } }
                        @if let Some(idle) = turn.idle_ms { " " span.pill { (duration(idle)) " idle" } }
                        @if let Some(tokens) = turn.compacted { " " span.pill.engine { "◆ compacted −" (short_figure(tokens)) } }
                    }
                    span.much { (counted(turn.requests, "request")) }
                    span.long { @if let Some(took) = turn.took_ms { (duration(took)) } }
                    span.moved { (moved(turn, room)) }
                    span.tokens { @if let Some((_, to)) = turn.tokens { (short_figure(to)) } }
                    @if has_prices { span.cost { (cost(turn.dollars)) } }
                }
            } } }
            @if let Some(side) = &figures.side { p.sub.side-requests { (counted(side.count, "request")) " " (side.what) @if has_prices { ": " (cost(side.dollars)) } } }
        }
    }
}

/// From where to where the window moved in a turn.
fn moved(turn: &TurnRow, room: u64) -> Markup {
    let Some((from, to)) = turn.tokens else { return html! {} };
    let wide = |tokens: u64| tokens as f64 * 100.0 / room.max(1) as f64;
    let (left, right) = (wide(from.min(to)), wide(from.max(to)));
    let class = if turn.compacted.is_some() { "c-engine" } else { "c-paid" };
    let length = (right - left).max(2.0);
    html! {
        svg.moved viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" {
            rect.c-free width="100" height="6" {}
            rect.(class) x=(at(left.min(100.0 - length).max(0.0))) width=(at(length)) height="6" {}
        }
    }
}

/// What a session cost, by cause, as one bar and a list.
pub(super) fn cost_card(causes: &[CauseCost], figures: &SessionFigures, links: Option<&str>) -> Markup {
    let in_tokens = figures.dollars.at_least().is_none_or(|dollars| dollars == 0.0);
    let of = |cause: &CauseCost| if in_tokens { cause.tokens as f64 } else { cause.dollars };
    let whole: f64 = causes.iter().map(of).sum();
    let part = |cause: &CauseCost| (colour_of(&cause.cause), (of(cause) / whole.max(1e-9) * 1e6) as u64);
    let segments: Vec<(&str, u64)> = causes.iter().map(part).collect();
    html! {
        section.card.costs {
            div.heading {
                h2 { "What it cost" }
                span.far.strong { @if in_tokens { "in tokens" } @else { (cost(figures.dollars)) } }
            }
            @if causes.is_empty() { p.empty { "The provider has reported no usage yet." } }
            @else {
                (line_of(&segments, 1_000_000))
                ul.causes { @for cause in causes { li {
                    svg.key viewBox="0 0 10 10" aria-hidden="true" { rect.(colour_of(&cause.cause)) width="10" height="10" rx="2" {} }
                    span.what { (cause.cause) }
                    span.share { (format!("{:.0} %", of(cause) * 100.0 / whole.max(1e-9))) }
                    span.cost { @if in_tokens { (short_figure(cause.tokens)) } @else { (cost(cause.known())) } }
                } } }
                @if figures.unpriced + figures.unreported > 0 { p.sub { (incomplete(figures)) "." } }
                @if let Some(links) = links { p.sub { a href={ (links) "/cost" } { "By tool, and the largest items" } } }
            }
        }
    }
}

/// The colour of a cause: the same as in the drawing.
fn colour_of(cause: &str) -> &'static str {
    let is = |part: &str| cause.contains(part);
    match () {
        () if is("read from the cache") => "c-cached",
        () if is("compaction") || is("summaries") => "c-engine",
        () if is("sent again") => "c-warn",
        () if is("new input") => "c-paid",
        () => "c-fixed",
    }
}

/// The compactions, each with its two bars.
pub(super) fn compaction_cards(rows: &[CompactionRow], links: Option<&str>) -> Markup {
    let most = rows.iter().filter_map(|row| row.before.max(row.after)).max().unwrap_or(1);
    html! {
        section.card.compactions {
            div.heading { h2 { "Compactions" } span.sub { (rows.len()) } }
            @if rows.is_empty() { p.empty { "Nothing was compacted yet." } }
            @for row in rows {
                div.compacted {
                    div.line {
                        b.engine {
                            "◆ "
                            @if let Some(links) = links { a href={ (links) "/compactions/" (row.number) } { "Compaction " (row.number) } } @else { "Compaction " (row.number) }
                        }
                        @if row.undone { span.pill.warn { "undone" } }
                        span.sub.far {
                            @match (row.request, links) {
                                (Some(request), Some(links)) => { "before " a href={ (links) "/requests/" (request) } { "request " (request) } },
                                (Some(request), None) => { "before request " (request) },
                                (None, _) => { "no request since" },
                            }
                        }
                    }
                    (before_after(row.before, row.after, most))
                    p.sub {
                        (row.why)
                        @if let Some(dollars) = row.dollars { @if !row.why.is_empty() { " · " } (money(Some(dollars))) }
                        @for (place, note) in row.notes.iter().enumerate() { @if place > 0 || row.dollars.is_some() || !row.why.is_empty() { " · " } (note) }
                    }
                }
            }
        }
    }
}

/// The two bars of a compaction.
pub(super) fn before_after(before: Option<u64>, after: Option<u64>, whole: u64) -> Markup {
    html! {
        @for (name, tokens) in [("before", before), ("after", after)] { @if let Some(tokens) = tokens {
            div.side { span.sub { (name) } (line_of(&[("c-engine", tokens)], whole)) span.tokens { (figure(tokens)) } }
        } }
    }
}
