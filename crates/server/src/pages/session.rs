//! One session: the window over time, its requests and compactions, and what it has cost.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use serde_json::Value;
use throughline_connect::dollars_text;
use throughline_continuity::SessionSummary;
use throughline_conversation::SessionId;
use throughline_stored::SessionLog;

use super::agents;
use super::chart::{chart, strip};
use super::layout::{PageFailure, streamed, tabs, turner};
use super::sessions::badge;
use super::text::{figure, percent, span, time};
use crate::app::App;
use crate::inspector::{CauseCost, ContinuityState, RequestPoint, continuity_state, cost_causes, timeline};
use crate::page::Page;
use crate::params::Params;
use crate::sessions::{Named, known, summary, table};

/// The page of a session. Its top comes before its log is read.
pub(crate) async fn session(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> Result<Response, PageFailure> {
    let page = Page::read(&params)?;
    let id = known(&app.storage, id).await?;
    let session = summary(&app.storage, &id).await?;
    Ok(streamed(&title(&session), &[], body(app, page, id, session)))
}

/// What the log of a session says.
async fn body(app: App, page: Page, id: SessionId, session: SessionSummary) -> Result<Markup, PageFailure> {
    let state = continuity_state(&app.handle(&id), &session).await?;
    let log = app.log(&id).await?;
    let sub_agents = agents::section(&app, &session).await?;
    let table = table()?;
    let points = timeline(&log.records, &table);
    let address = format!("/sessions/{id}");
    Ok(html! {
        (tabs(id.as_str(), "Window"))
        (agents::parent(&session))
        div.facts data-session=(id) data-last=(log.last) {
            (facts(&session, Some(&state)))
            div.acts {
                button type="button" data-post={ "/api/sessions/" (id) "/contexts" } data-body="{}" { "Refresh context" }
                button type="button" data-ask="Instructions for the summary (may be empty)" data-field="instructions" data-post={ "/api/sessions/" (id) "/compactions" } { "Compact…" }
                button.danger type="button" data-confirm=(id) data-delete={ "/api/sessions/" (id) } { "Delete…" }
            }
        }
        section { h2 { "The window over time" } (drawing(&points, Some(&address))) }
        (live_turn(id.as_str(), app.turns.running(&id).is_some()))
        (sub_agents)
        section { h2 { "Compactions" } (compactions(&log, Some(&address))) }
        section { h2 { "Cost by cause" } (causes(&cost_causes(&log.records, &table))) }
        section #requests {
            h2 { "Requests" }
            (requests(page.of(&points), Some(&address)))
            (turner(page, points.len(), &address))
        }
    })
}

/// The form that begins a turn, and the list of its events. The script fills it; without the script nothing of it is shown.
fn live_turn(id: &str, is_running: bool) -> Markup {
    html! {
        section.turn data-turn=(id) data-running[is_running] {
            details open[is_running] {
                summary { h2 { "Continue this session" } }
                form {
                    textarea name="prompt" rows="3" aria-label="Message" placeholder="Message (empty: continue the interrupted turn)" {}
                    div.acts {
                        button type="submit" { "Send" }
                        button type="button" data-cancel="" hidden { "Cancel" }
                    }
                }
                ol.events aria-live="polite" {}
            }
        }
    }
}

/// What a session is called.
pub(super) fn title(session: &SessionSummary) -> String {
    match session.info.title.as_str() {
        "" => session.info.id.to_string(),
        title => title.to_owned(),
    }
}

/// Where a session worked, with which model, and when.
pub(super) fn facts(session: &SessionSummary, state: Option<&ContinuityState>) -> Markup {
    html! {
        dl.inline {
            @if let Some(state) = state { dt { "context" } dd { (badge(state)) } }
            dt { "session" } dd { code { (session.info.id) } }
            @if !session.info.model.is_empty() { dt { "model" } dd { (session.info.model) } }
            @if !session.info.workspace.is_empty() { dt { "folder" } dd { code { (session.info.workspace) } } }
            dt { "began" } dd { (time(session.info.created)) " UTC" }
            dt { "size" } dd { (figure(session.requests)) " requests, " (figure(session.records)) " records" }
        }
    }
}

/// The drawing of the requests.
pub(super) fn drawing(points: &[RequestPoint], links: Option<&str>) -> Markup {
    html! {
        @if points.is_empty() { p.empty { "No request was sent yet." } } @else { (chart(points, links)) }
    }
}

/// The list of compactions.
pub(super) fn compactions(log: &SessionLog, links: Option<&str>) -> Markup {
    let all = log.compaction_objects();
    let tokens = |one: &Value, side: &str| one[side].as_u64().map_or_else(|| "–".to_owned(), figure);
    html! {
        @if all.is_empty() { p.empty { "Nothing was compacted yet." } }
        @else { table.rows {
            thead { tr { th { "Compaction" } th { "Before request" } th { "Why" } th { "How" } th.num { "Tokens before" } th.num { "Tokens after" } } }
            tbody { @for one in &all {
                @let number = one["number"].as_u64().unwrap_or_default();
                @let how: Vec<&str> = one["strategies"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
                tr {
                    td.lead {
                        @if let Some(links) = links { a href={ (links) "/compactions/" (number) } { "Compaction " (number) } }
                        @else { "Compaction " (number) }
                        @if one["undone"] == true { " " span.badge.warn { "undone" } }
                    }
                    td data-label="Before request" {
                        @match (one["request"].as_u64(), links) {
                            (Some(request), Some(links)) => { a href={ (links) "/requests/" (request) } { (request) } },
                            (Some(request), None) => { (request) },
                            (None, _) => { "none yet" },
                        }
                    }
                    td data-label="Why" { (one["reason"].as_str().unwrap_or("–")) }
                    td data-label="How" { (how.join(", ").replace('_', " ")) }
                    td.num data-label="Tokens before" { (tokens(one, "before_tokens")) }
                    td.num data-label="Tokens after" { (tokens(one, "after_tokens")) }
                }
            } }
        } }
    }
}

/// The cost by cause.
pub(super) fn causes(causes: &[CauseCost]) -> Markup {
    let dollars: f64 = causes.iter().map(|cause| cause.dollars).sum();
    html! {
        @if causes.is_empty() { p.empty { "The provider has reported no usage yet." } }
        @else {
            table.rows {
                thead { tr { th { "Cause" } th.num { "Requests" } th.num { "Tokens" } th.num { "Cost" } th.num { "Share" } } }
                tbody { @for cause in causes { tr {
                    td.lead { (cause.cause) }
                    td.num data-label="Requests" { (figure(cause.requests)) }
                    td.num data-label="Tokens" { (figure(cause.tokens)) }
                    td.num data-label="Cost" { @if cause.unpriced > 0 { "not known" } @else { (dollars_text(cause.dollars)) } }
                    td.num data-label="Share" { @if dollars > 0.0 { (format!("{:.0} %", cause.dollars * 100.0 / dollars)) } @else { "–" } }
                } } }
            }
            @if causes.iter().any(|cause| cause.unpriced > 0) {
                p.sub { "The price of a model is not known: " code { "models.toml" } " can name it." }
            }
        }
    }
}

/// A list of requests, each with its bar.
pub(super) fn requests(points: &[RequestPoint], links: Option<&str>) -> Markup {
    html! {
        table.rows {
            thead { tr {
                th { "Request" } th { "Window" } th.num { "Tokens" } th.num { "Full" } th.num { "Cached" } th.num { "Output" }
                th.num { "Cost" } th { "Time (UTC)" } th { "Notes" }
            } }
            tbody { @for point in points { tr data-row="" {
                td.lead {
                    @if let Some(links) = links { a href={ (links) "/requests/" (point.request) } { (point.request) } }
                    @else { (point.request) }
                    span.sub { " turn " (point.turn) }
                }
                td.bar-of { (strip(point)) }
                td.num data-label="Tokens" { (figure(point.window.used.total())) }
                td.num data-label="Full" { (percent(point.window.used.total(), point.window.effective_window())) }
                td.num data-label="Cached" { (percent(point.usage.cache_read, point.usage.prompt())) }
                td.num data-label="Output" { (figure(point.usage.output)) }
                td.num data-label="Cost" { (super::text::dollars(point.dollars)) }
                td.at data-label="Time (UTC)" { (time(point.at_ms)) }
                td.notes { (notes(point)) }
            } } }
        }
    }
}

fn notes(point: &RequestPoint) -> Markup {
    html! {
        @if let Some(tokens) = point.compacted { span.badge.mark { "compacted −" (figure(tokens)) } " " }
        @if let Some(idle) = point.idle_ms { span.badge.plain { "idle " (span(idle / 1_000)) } " " }
        @if let Some(miss) = &point.miss { span.badge.warn { "missed: " (miss) } " " }
        @if !point.is_reported { span.badge.plain { "no report" } }
    }
}
