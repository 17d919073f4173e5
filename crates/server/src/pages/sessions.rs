//! The list of sessions.

use axum::Extension;
use axum::extract::State;
use maud::html;
use throughline_conversation::Millis;

use super::layout::{PageAnswer, page as frame, turner};
use super::text::{ago, dollars as dollars_of, figure, time};
use crate::app::App;
use crate::caller::Caller;
use crate::inspector::{ContinuityState, continuity_state};
use crate::page::Page;
use crate::params::Params;
use crate::sessions::{fitting, objects};

/// The sessions, newest activity first, each with the state of its context.
pub(crate) async fn sessions(
    State(app): State<App>,
    caller: Caller,
    Extension(params): Extension<Params>,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let mut all = fitting(&app.storage, &params, &caller).await?;
    // Those of sub-agents are on the pages of the sessions that they work for.
    all.retain(|session| session.parent.is_none());
    let shown = page.of(&all);
    let objects = objects(&app.storage, shown).await?;
    let mut rows = Vec::with_capacity(shown.len());
    for (session, object) in shown.iter().zip(objects) {
        let state = continuity_state(&app.handle(&session.info.id), session).await?;
        let dollars = object.get("cost_usd_at_least").and_then(serde_json::Value::as_f64);
        let owner = object.get("owner").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
        rows.push((session, state, dollars, owner));
    }
    let body = html! {
        @if rows.is_empty() { p.empty { "There is no session here yet. " code { "throughline demo" } " makes one." } }
        @else {
            table.rows {
                thead { tr {
                    th { "Session" } th { "Context" } th.num { "Turns" } th.num { "Requests" } th.num { "Tokens" }
                    th.num { "Cost" } th { "Active" }
                } }
                tbody { @for (session, state, dollars, owner) in &rows {
                    tr data-row="" {
                        td.lead {
                            a.title href={ "/sessions/" (session.info.id) } {
                                @if session.info.title.is_empty() { (session.info.id) } @else { (session.info.title) }
                            }
                            div.sub {
                                (session.info.id)
                                @for fact in [&session.info.model, &session.info.workspace, owner] { @if !fact.is_empty() { " · " (fact) } }
                            }
                        }
                        td.state data-label="Context" { (badge(state)) }
                        td.num data-label="Turns" { (figure(session.exchanges)) }
                        td.num data-label="Requests" { (figure(session.requests)) }
                        td.num data-label="Tokens" { (session.last_tokens.map_or_else(|| "–".to_owned(), figure)) }
                        td.num data-label="Cost" { (dollars_of(*dollars)) }
                        td.at data-label="Active" { time datetime=(session.last_activity.rfc3339()) title={ (time(session.last_activity)) " UTC" } { (ago(session.last_activity)) } }
                    }
                } }
            }
            (turner(page, all.len(), "/"))
        }
    };
    Ok(frame("Sessions", &[], &body))
}

/// The state of a session's context.
pub(super) fn badge(state: &ContinuityState) -> maud::Markup {
    let (class, word, about) = match state.state {
        "preserved" => ("good", "preserved", "a stored context covers the newest record"),
        "behind" => ("warn", "behind", "records came after the newest stored context"),
        _ => ("plain", "log only", "no context is stored; the log has everything"),
    };
    let newest = state.newest_ms.filter(|at| *at > Millis(0));
    html! {
        span.badge.(class) title=(about) { (word) }
        " " span.sub {
            @if let Some(agent) = state.agent { (agent) ", " }
            @if state.contexts == 0 { "no stored context" } @else {
                (state.contexts) @if state.contexts == 1 { " context" } @else { " contexts" }
                @if let Some(at) = newest { ", " (ago(at)) }
                @if state.behind > 0 { ", " (figure(state.behind)) " records behind" }
            }
            @if state.handoff { ", handoff" }
        }
    }
}
