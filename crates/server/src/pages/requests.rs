//! The requests of a session, one row each.

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};
use throughline_conversation::SessionId;

use super::layout::{PageFailure, Tabs, streamed, to_session, turner};
use super::strip::strip;
use super::text::{duration, estimated, figure, lost, money, percent, short_figure, time};
use crate::app::App;
use crate::inspector::RequestPoint;
use crate::page::Page;
use crate::params::Params;
use crate::requests::request_points;
use crate::sessions::{Named, stored};

/// Maximum number of different tools that a row names.
const TOOLS: usize = 4;

/// The requests of a stored session, oldest first.
pub(crate) async fn requests(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> Result<Response, PageFailure> {
    let page = Page::read(&params)?;
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    Ok(streamed("Requests", &[to_session(&session)], body(app, page, id)))
}

async fn body(app: App, page: Page, id: SessionId) -> Result<Markup, PageFailure> {
    let log = app.log(&id).await?;
    let points = request_points(&app, &id, &log).await?;
    let address = format!("/sessions/{id}");
    Ok(html! {
        div data-session=(id) data-last=(log.last) data-live="requests" {
            (Tabs::stored(id.as_str()).with(points.len()).of(&log).running(app.turns.running(&id).as_deref()).show("Requests"))
            (rows(page.within(points.len()).of(&points), Some(&address)))
            (turner(page, points.len(), &format!("{address}/requests")))
        }
    })
}

/// A list of requests, each with its bar.
pub(super) fn rows(points: &[RequestPoint], links: Option<&str>) -> Markup {
    let has_prices = points.iter().any(|point| point.dollars.is_some());
    html! {
        @if points.is_empty() { p.empty { "No request was sent yet." } } @else {
            table.rows {
                thead { tr {
                    th { "Request" } th { "Called" } th { "Window" } th.num { "Tokens" } th.num { "Full" } th.num { "Cached" } th.num { "Output" }
                    @if has_prices { th.num { "Cost" } }
                    th.num { "Took" } th { "Time (UTC)" }
                } }
                tbody { @for point in points { tr data-row="" {
                    td.lead {
                        @if let Some(links) = links { a href={ (links) "/requests/" (point.request) } { (point.request) } } @else { (point.request) }
                        span.sub.whole-line { " turn " (point.turn) }
                    }
                    td.called data-label="Called" { (called(&point.calls)) (notes(point)) }
                    td.bar-of { (strip(point)) }
                    td.num data-label="Tokens" { (figure(point.window.used.total())) }
                    td.num data-label="Full" { (percent(point.window.used.total(), point.window.effective_window())) }
                    td.num data-label="Cached" { (percent(point.usage.cache_read, point.usage.prompt())) }
                    td.num data-label="Output" { (estimated(point.usage.output, point.is_output_estimated)) }
                    @if has_prices { td.num data-label="Cost" { (money(point.dollars)) } }
                    td.num data-label="Took" { @if let Some(took) = point.took_ms { (duration(took)) } @else { "–" } }
                    td.at data-label="Time (UTC)" { @if point.at_ms.0 > 0 { (time(point.at_ms)) } @else { "–" } }
                } } }
            }
        }
    }
}

/// The tools that an answer called, each once with how often.
fn called(calls: &[String]) -> Markup {
    let mut tools: Vec<(&str, usize)> = Vec::new();
    for call in calls {
        match tools.iter_mut().find(|(tool, _)| tool == call) {
            Some((_, count)) => *count += 1,
            None => tools.push((call, 1)),
        }
    }
    html! {
        @if tools.is_empty() { span.sub { "answer" } }
        @for (place, (tool, count)) in tools.iter().take(TOOLS).enumerate() {
            @if place > 0 { ", " }
            code { (tool) } @if *count > 1 { " ×" (count) }
        }
        @if tools.len() > TOOLS { " and " (tools.len() - TOOLS) " more" }
    }
}

fn notes(point: &RequestPoint) -> Markup {
    html! {
        @if let Some(tokens) = point.compacted { " " span.pill.engine { "◆ compacted −" (short_figure(tokens)) } }
        @match (point.lost_cache(), point.idle_ms) {
            (Some(cache), _) => { " " span.pill.warn { "missed: " (lost(&cache)) } },
            (None, Some(idle)) => { " " span.pill { (duration(idle)) " idle" } },
            _ => {},
        }
        @if !point.is_reported { " " span.pill { "no report" } }
    }
}
