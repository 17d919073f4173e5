//! The table of the list of sessions.

use maud::{Markup, html};
use throughline_completion::Dollars;
use throughline_conversation::Millis;

use super::listed::{Listed, OWN, Row};
use super::strip::line_of;
use super::text::{ago, cost, counted, figure, short_figure, when};
use super::turn_state::turn_pill;
use crate::inspector::{ContinuityState, total};

/// The rows, and their sum.
pub(super) fn table(rows: &[Row]) -> Markup {
    let unknown = rows.iter().filter(|row| row.dollars.exact().is_none()).count() as u64;
    let dollars = total(rows.iter().map(|row| row.dollars));
    let requests: u64 = rows.iter().filter_map(|row| row.listed.requests()).sum();
    html! {
        table.rows.sessions {
            thead { tr {
                th { "Session" } th { "Context" } th.num { "Turns" } th.num { "Requests" } th.num { "Last request" } th.num { "Cost" } th { "Active" }
            } }
            tbody { @for row in rows { (one(row)) } }
            @if rows.len() > 1 { tfoot { tr {
                td.lead { (counted(rows.len() as u64, "session")) " on this page" }
                td {} td {} td.num data-label="Requests" { (figure(requests)) } td {}
                td.num data-label="Cost" { (cost(dollars)) @if unknown > 0 && dollars != Dollars::Unknown { div.sub { (figure(unknown)) " not wholly known" } } }
                td {}
            } } }
        }
    }
}

fn one(row: &Row) -> Markup {
    let listed = &row.listed;
    let (address, model, turns, window) = match listed {
        Listed::Stored(session, figures) => (
            format!("/sessions/{}", session.info.id),
            session.info.model.clone(),
            Some(session.exchanges),
            figures.as_ref().map(|figures| figures.window).filter(|window| *window > 0),
        ),
        Listed::Transcript(object) => (
            format!("/transcripts/{}", object.transcript),
            object.model.clone().unwrap_or_default(),
            object.turns,
            object.window.filter(|window| *window > 0),
        ),
    };
    let agent = listed.agent();
    let or_dash = |number: Option<u64>| number.map_or_else(|| "–".to_owned(), figure);
    html! {
        tr data-row="" {
            td.lead {
                a.title dir="auto" href=(address) { (listed.title()) }
                div.sub {
                    @if agent != OWN { span.pill { (agent) } " " }
                    @for (place, fact) in [model.as_str(), listed.folder(), row.owner.as_str()].into_iter().filter(|fact| !fact.is_empty()).enumerate() { @if place > 0 { " · " } (fact) }
                }
            }
            td.state data-label="Context" {
                @if let Some(turn) = &row.turn { (turn_pill(turn)) " " }
                @match (&row.state, listed) {
                    (Some(state), _) => { (badge(state)) },
                    (None, Listed::Transcript(object)) => {
                        @match object.compactions {
                            None => { span.sub { "being read…" } },
                            Some(0) => { span.sub { "never compacted" } },
                            Some(count) => { span.pill.engine { "◆ " (counted(count, "compaction")) } },
                        }
                    },
                    _ => {},
                }
            }
            td.num data-label="Turns" { (or_dash(turns)) }
            td.num data-label="Requests" { (or_dash(listed.requests())) }
            td.num.window data-label="Last request" {
                @match (listed.tokens(), window) {
                    (Some(tokens), Some(window)) => { (short_figure(tokens)) (line_of(&[("c-paid", tokens)], window)) },
                    (Some(tokens), None) => { (short_figure(tokens)) },
                    _ => { "–" },
                }
            }
            td.num data-label="Cost" { (cost(row.dollars)) }
            td.at data-label="Active" { (when(listed.active())) }
        }
    }
}

/// The state of a session's context.
pub(super) fn badge(state: &ContinuityState) -> Markup {
    let (class, word, about) = match state.state {
        "preserved" => ("good", "preserved", "a stored context covers the newest record"),
        "behind" => ("warn", "behind", "records came after the newest stored context"),
        _ => ("plain", "whole log", "no context is stored; the log has everything"),
    };
    let newest = state.newest_ms.filter(|at| *at > Millis(0));
    html! {
        span.badge.(class) title=(about) { (word) }
        " " span.sub {
            @if state.contexts > 0 {
                (counted(state.contexts as u64, "context"))
                @if let Some(at) = newest { ", " (ago(at)) }
                @if state.behind > 0 { ", " (figure(state.behind)) " records behind" }
            }
            @if state.handoff { @if state.contexts > 0 { ", " } "handoff" }
        }
    }
}
