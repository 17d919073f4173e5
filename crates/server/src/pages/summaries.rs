//! The summaries of a session, with their texts.

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

/// The summaries, the newest first; those in force are unfolded.
pub(crate) async fn summaries(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let log = app.log(&id).await?;
    let mut all = log.summaries_with_texts(app.handle(&id).counter.as_ref());
    all.reverse();
    let page = page.within(all.len());
    let body = html! {
        (tabs(&id, &log, "Summaries"))
        @if all.is_empty() { p.empty { "No compaction has written a summary yet." } }
        @for (row, text) in page.of(&all) {
            @let status = json!(row.status);
            @let status = status.as_str().unwrap_or_default();
            details.piece data-row="" open[status == "in_force"] {
                summary {
                    span.kind.summary { "record " (row.record) }
                    span.name { (row.first_line) }
                    span.sub { "replaces records " (row.span.first) " to " (row.span.last) " · " (time(row.at)) " UTC" @if let Some(author) = &row.author { " · by " (author) } }
                    span.tokens { (figure(row.tokens)) " tokens" }
                    span.badge.(if status == "in_force" { "good" } else { "plain" }) { (status.replace('_', " ")) }
                }
                pre tabindex="0" { (shown(text)) }
            }
        }
        (turner(page, all.len(), &format!("/sessions/{id}/summaries")))
    };
    Ok(frame("Summaries", &[to_session(&session)], &body))
}
