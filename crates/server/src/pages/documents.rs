//! The documents of a session, with their revisions.

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use serde_json::Value;
use throughline_conversation::Millis;

use super::layout::{PageAnswer, page as frame, tabs, to_session, turner};
use super::request_diff::changed_lines;
use super::text::{shown, time};
use crate::app::App;
use crate::page::Page;
use crate::params::Params;
use crate::sessions::{Named, stored};

/// Maximum number of changed lines that a revision lists.
const LINES: usize = 400;

/// The revisions, the newest first.
pub(crate) async fn documents(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let log = app.log(&id).await?;
    let mut all = log.document_objects();
    all.reverse();
    let page = page.within(all.len());
    let body = html! {
        (tabs(&id, &log, "Documents"))
        (revisions(&all, page.offset(), page.of(&all).len()))
        (turner(page, all.len(), &format!("/sessions/{id}/documents")))
    };
    Ok(frame("Documents", &[to_session(&session)], &body))
}

/// `most` revisions from place `first`, each with its text and what it changed; the current ones are unfolded. `all` has the
/// newest first.
pub(super) fn revisions(all: &[Value], first: usize, most: usize) -> Markup {
    html! {
        @if all.is_empty() { p.empty { "Neither STATE nor the scratchpad was written yet. A policy with documents lets the model write both: STATE has the facts of the task, the scratchpad its plan." } }
        @for (place, one) in all.iter().enumerate().skip(first).take(most) {
            @let status = one["status"].as_str().unwrap_or_default();
            @let text = one["text"].as_str().unwrap_or_default();
            @let before = all.iter().skip(place + 1).find(|other| other["document"] == one["document"]);
            details.piece data-row="" open[status == "current"] {
                summary {
                    span.kind.summary { (one["document"].as_str().unwrap_or_default()) }
                    span.name { "revision " (one["revision"]) }
                    span.sub { "by " (one["by"].as_str().unwrap_or_default().replace('_', " ")) " · " (time(Millis(one["at_ms"].as_i64().unwrap_or_default()))) " UTC" }
                    span.badge.(if status == "current" { "good" } else { "plain" }) { (status) }
                }
                @if text.is_empty() { p.empty { "The document was emptied." } } @else { pre tabindex="0" { (shown(text)) } }
                @if let Some(before) = before {
                    h3 { "Changed since revision " (before["revision"]) }
                    (changed_lines(before["text"].as_str().unwrap_or_default(), text, LINES))
                }
            }
        }
    }
}
