//! The documents of a session, with their revisions.

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use serde_json::Value;
use throughline_conversation::Millis;

use super::layout::{PageAnswer, page as frame, tabs, to_session, turner};
use super::text::{shown, time};
use crate::app::App;
use crate::page::Page;
use crate::params::Params;
use crate::sessions::{Named, known};

/// The revisions, the newest first.
pub(crate) async fn documents(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let id = known(&app.storage, id).await?;
    let mut all = app.log(&id).await?.document_objects();
    all.reverse();
    let body = html! {
        (tabs(id.as_str(), "Documents"))
        (revisions(page.of(&all)))
        (turner(page, all.len(), &format!("/sessions/{id}/documents")))
    };
    Ok(frame("Documents", &[to_session(&id)], &body))
}

/// Revisions with their texts; the current ones are unfolded.
pub(super) fn revisions(all: &[Value]) -> Markup {
    html! {
        @if all.is_empty() { p.empty { "Neither STATE nor the scratchpad was written yet." } }
        @for one in all {
            @let status = one["status"].as_str().unwrap_or_default();
            details.piece data-row="" open[status == "current"] {
                summary {
                    span.kind.summary { (one["document"].as_str().unwrap_or_default()) }
                    span.name { "revision " (one["revision"]) }
                    span.sub { (time(Millis(one["at_ms"].as_i64().unwrap_or_default()))) " UTC" }
                    span.badge.(if status == "current" { "good" } else { "plain" }) { (status) }
                }
                pre { (shown(one["text"].as_str().unwrap_or_default())) }
            }
        }
    }
}
