//! The large results of a session, and the content of one.

use axum::Extension;
use axum::extract::State;
use maud::html;
use throughline_stored::ResultPage;

use super::layout::{PageAnswer, page as frame, tabs, to_session, turner};
use super::text::{figure, time};
use crate::app::App;
use crate::page::Page;
use crate::params::Params;
use crate::requests::{Numbered, split};
use crate::results::part;
use crate::sessions::{Named, stored};

/// The stored results, the newest first.
pub(crate) async fn results(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    id: Named,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let log = app.log(&id).await?;
    let mut all = app.handle(&id).results().await?;
    all.reverse();
    let page = page.within(all.len());
    let body = html! {
        (tabs(&id, &log, "Results"))
        @if all.is_empty() {
            p.empty { "No result was large enough to be stored. The model sees the start and the end of one that is, and reads the rest back." }
        } @else {
            table.rows {
                thead { tr { th { "Result" } th { "Tool" } th.num { "Bytes" } th { "Stored" } } }
                tbody { @for one in page.of(&all) {
                    tr data-row="" {
                        td.lead { a href={ "/sessions/" (id) "/results/" (one.id) } { (one.id) } }
                        td data-label="Tool" { (one.tool) }
                        td.num data-label="Bytes" { (figure(one.bytes)) }
                        td.at data-label="Stored" { (time(one.at)) " UTC" }
                    }
                } }
            }
        }
        (turner(page, all.len(), &format!("/sessions/{id}/results")))
    };
    Ok(frame("Results", &[to_session(&session)], &body))
}

/// A part of a result, or the lines of it that have a text.
pub(crate) async fn result(
    State(app): State<App>,
    Extension(params): Extension<Params>,
    named: Numbered,
) -> PageAnswer {
    let (id, name) = split(named);
    let session = stored(&app.storage, id).await?;
    let id = session.id.clone();
    let log = app.log(&id).await?;
    let request = part(&params, &name)?;
    let ResultPage { content, range, total, next_offset, .. } = app.handle(&id).result_page(&request).await?;
    let own = format!("/sessions/{id}/results/{}", request.ref_id);
    let words = request.search.as_deref().unwrap_or_default();
    let before = (range.start > 0 && words.is_empty()).then(|| range.start.saturating_sub(request.limit));
    let search = if words.is_empty() { String::new() } else { format!("&q={}", encoded(words)) };
    let body = html! {
        (tabs(&id, &log, ""))
        form.turner action=(own) method="get" {
            input type="search" name="q" value=(words) placeholder="Lines with…" aria-label="Search this result";
            button.always { "Search" }
            a href={ "/api" (own) "/content" } download=(request.ref_id) { "Download" }
        }
        nav.turner aria-label="Parts of the result" {
            @if let Some(offset) = before { a rel="prev" href={ (own) "?offset=" (offset) } { "← earlier" } }
            span {
                @if words.is_empty() { "bytes " (figure(range.start)) " to " (figure(range.end)) " of " (figure(total)) }
                @else { "lines with “" (words) "”, as line:byte:text" }
            }
            @if let Some(offset) = next_offset { a rel="next" href={ (own) "?offset=" (offset) (search) } { "later →" } }
        }
        @if content.is_empty() { p.empty { "Nothing is here." } } @else { pre.alone tabindex="0" aria-label="Text of the result" { (content) } }
    };
    let list = ("Results".to_owned(), format!("/sessions/{id}/results"));
    Ok(frame(&format!("Result {}", request.ref_id), &[to_session(&session), list], &body))
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}
