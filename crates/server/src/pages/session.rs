//! One session: the window over time, its requests and compactions, and what it has cost.

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use throughline::{
    CauseCost, RequestPoint, SessionLog, continuity_state, cost_causes, dollars_text, timeline,
};
use throughline_continuity::SessionSummary;

use super::chart::{chart, strip};
use super::layout::{PageAnswer, page as frame, tabs, turner};
use super::sessions::badge;
use super::text::{figure, percent, span, time};
use crate::app::App;
use crate::page::Page;
use crate::params::Params;
use crate::sessions::{Named, known, summary, table};

/// The page of a session.
pub(crate) async fn session(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let id = known(&app.storage, id).await?;
    let session = summary(&app.storage, &id).await?;
    let state = continuity_state(&app.handle(&id), &session).await?;
    let log = app.log(&id).await?;
    let table = table()?;
    let points = timeline(&log.records, &table);
    let address = format!("/sessions/{id}");
    let body = html! {
        (tabs(id.as_str(), "Window"))
        div.facts data-session=(id) data-last=(log.last) {
            div { (badge(&state)) }
            (facts(&session))
            div.acts {
                button type="button" data-post={ "/api/sessions/" (id) "/contexts" } data-body="{}" { "Refresh context" }
                button type="button" data-ask="Instructions for the summary (may be empty)" data-field="instructions" data-post={ "/api/sessions/" (id) "/compactions" } { "Compact…" }
                button.danger type="button" data-confirm=(id) data-delete={ "/api/sessions/" (id) } { "Delete…" }
            }
        }
        (live_turn(id.as_str(), app.turns.running(&id).is_some()))
        section { h2 { "The window over time" } (drawing(&points, Some(&address))) }
        section { h2 { "Compactions" } (compactions(&log, Some(&address))) }
        section { h2 { "Cost by cause" } (causes(&cost_causes(&log.records, &table))) }
        section #requests {
            h2 { "Requests" }
            (requests(page.of(&points), Some(&address)))
            (turner(page, points.len(), &address))
        }
    };
    Ok(frame(&title(&session), &[], &body))
}

/// The form that begins a turn, and the list of its events. The script fills it; without the script nothing of it is shown.
fn live_turn(id: &str, is_running: bool) -> Markup {
    html! {
        section.turn data-turn=(id) data-running[is_running] {
            h2 { "Continue" }
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

/// What a session is called.
pub(super) fn title(session: &SessionSummary) -> String {
    match session.info.title.as_str() {
        "" => session.info.id.to_string(),
        title => title.to_owned(),
    }
}

/// Where a session worked, with which model, and when.
pub(super) fn facts(session: &SessionSummary) -> Markup {
    html! {
        dl.inline {
            dt { "session" } dd { (session.info.id) }
            dt { "model" } dd { (session.info.model) }
            dt { "folder" } dd { (session.info.workspace) }
            dt { "began" } dd { (time(session.info.created)) " UTC" }
            dt { "records" } dd { (figure(session.records)) }
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
    html! {
        @if all.is_empty() { p.empty { "Nothing was compacted yet." } }
        @else { ul.plain { @for one in &all {
            @let number = one["number"].as_u64().unwrap_or_default();
            li {
                @if let Some(links) = links { a href={ (links) "/compactions/" (number) } { "Compaction " (number) } }
                @else { "Compaction " (number) }
                " at record " (one["record"])
                @if one["undone"] == true { " · undone" }
            }
        } } }
    }
}

/// The cost by cause.
pub(super) fn causes(causes: &[CauseCost]) -> Markup {
    let dollars: f64 = causes.iter().map(|cause| cause.dollars).sum();
    html! {
        @if causes.is_empty() { p.empty { "The provider has reported no usage yet." } }
        @else { table {
            thead { tr { th { "Cause" } th.num { "Requests" } th.num { "Tokens" } th.num { "Cost" } th.num { "Share" } } }
            tbody { @for cause in causes { tr {
                td { (cause.cause) }
                td.num { (figure(cause.requests)) }
                td.num { (figure(cause.tokens)) }
                td.num { @if cause.unpriced > 0 { "not known" } @else { (dollars_text(cause.dollars)) } }
                td.num { @if dollars > 0.0 { (format!("{:.0} %", cause.dollars * 100.0 / dollars)) } @else { "–" } }
            } } }
        } }
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
                td {
                    @if let Some(links) = links { a href={ (links) "/requests/" (point.request) } { (point.request) } }
                    @else { (point.request) }
                    span.sub { " turn " (point.turn) }
                }
                td { (strip(point)) }
                td.num { (figure(point.window.used.total())) }
                td.num { (percent(point.window.used.total(), point.window.effective_window())) }
                td.num { (percent(point.usage.cache_read, point.usage.prompt())) }
                td.num { (figure(point.usage.output)) }
                td.num { (point.dollars.map_or_else(|| "–".to_owned(), dollars_text)) }
                td.at { (time(point.at_ms)) }
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
