//! The contexts of a session that were stored for agents.

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

/// The stored contexts, the newest first and unfolded.
pub(crate) async fn contexts(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let log = app.log(&id).await?;
    let mut all = app.handle(&id).contexts().await?;
    all.reverse();
    let page = page.within(all.len());
    let newest = all.first().map(|one| one.timestamp);
    let body = html! {
        (tabs(&id, &log, "Contexts"))
        div.acts {
            button type="button" data-post={ "/api/sessions/" (id) "/contexts" } data-body="{}" { "Refresh context" }
        }
        @if all.is_empty() { p.empty { "No context was stored for an agent yet." } }
        @for one in page.of(&all) {
            @let source = json!(one.source);
            @let text = one.context.as_ref().map(|context| context.text(""));
            details.piece data-row="" open[newest == Some(one.timestamp)] {
                summary {
                    span.kind.summary { (source.as_str().unwrap_or_default()) }
                    span.name { "for " (one.worker_id) }
                    span.sub { "up to record " (one.covers) " · " (time(one.timestamp)) " UTC" }
                    @match &text {
                        Some(text) => { span.tokens { (figure(text.len() as u64)) " bytes" } },
                        None => { span.badge.warn { "damaged" } },
                    }
                }
                pre tabindex="0" { (shown(text.as_deref().or(one.damaged.as_deref()).unwrap_or_default())) }
            }
        }
        (turner(page, all.len(), &format!("/sessions/{id}/contexts")))
    };
    Ok(frame("Contexts", &[to_session(&session)], &body))
}
