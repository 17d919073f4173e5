//! The checkpoints of a session, with their handoffs.

use axum::Extension;
use axum::extract::State;
use maud::html;
use serde_json::json;

use super::layout::{PageAnswer, page as frame, tabs, to_session, turner};
use super::text::{figure, shown, time};
use crate::app::App;
use crate::page::Page;
use crate::params::Params;
use crate::sessions::{Named, stored};

/// The checkpoints, the newest first.
pub(crate) async fn checkpoints(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let log = app.log(&id).await?;
    let mut all = log.checkpoints();
    all.reverse();
    let page = page.within(all.len());
    let body = html! {
        (tabs(&id, &log, "Checkpoints"))
        @if all.is_empty() { p.empty { "No checkpoint was recorded yet." } }
        @for one in page.of(&all) {
            @let point = one.checkpoint;
            @let reason = json!(point.reason);
            details.piece data-row="" {
                summary {
                    span.kind.summary { "checkpoint " (one.number) }
                    span.name {
                        (reason.as_str().unwrap_or("other").replace('_', " "))
                        @if !point.hat.is_empty() { ", hat " (point.hat) }
                    }
                    span.sub { "record " (one.record.seq) " · " (time(one.record.at)) " UTC" }
                    span.tokens { (figure(point.iteration)) " requests, " (figure(point.input_tokens)) " tokens in, " (figure(point.output_tokens)) " out" }
                    @if point.last_error.is_some() { span.badge.warn { "failed" } }
                    @if point.handoff.is_some() { span.badge.good { "handoff" } }
                }
                @if let Some(error) = &point.last_error { p.problem { (shown(error)) @if let Some(hint) = &point.recovery_hint { " " (hint) } } }
                @for (name, value) in [("handoff", &point.handoff), ("task", &point.task)] {
                    @if let Some(value) = value { pre tabindex="0" aria-label=(name) { (shown(&format!("{value:#}"))) } }
                }
                @if point.handoff.is_none() && point.task.is_none() && point.last_error.is_none() { p.empty { "It has figures only." } }
            }
        }
        (turner(page, all.len(), &format!("/sessions/{id}/checkpoints")))
    };
    Ok(frame("Checkpoints", &[to_session(&session)], &body))
}
