//! Search over all sessions and memos.

use axum::Extension;
use axum::extract::State;
use maud::{Markup, html};
use throughline_stored::{Search, SearchHit};

use super::layout::{PageAnswer, page as frame, turner};
use super::text::{figure, shown};
use crate::app::App;
use crate::caller::Caller;
use crate::memos::fitting;
use crate::page::Page;
use crate::params::Params;
use crate::views::HITS;

/// The hits of a search, and what was searched for.
pub(crate) async fn search(
    State(app): State<App>,
    caller: Caller,
    Extension(params): Extension<Params>,
) -> PageAnswer {
    let page = Page::read(&params)?;
    let words = params.text("q").unwrap_or_default().trim().to_owned();
    let (all, memos) = match words.as_str() {
        "" => (Vec::new(), 0),
        words => (
            app.storage.search(&Search::new(words, None, HITS)?.within(caller.scope.clone())).await?,
            fitting(app.storage.clone(), &params, &caller).await?.len(),
        ),
    };
    let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("q", &words).finish();
    let body = html! {
        form.acts action="/search" method="get" {
            input type="search" name="q" value=(words) placeholder="Words" aria-label="Words to search for";
            button.always type="submit" { "Search" }
        }
        @if words.is_empty() { p.empty { "Titles, messages, calls, results, documents, summaries and memos that have all of the words are found." } }
        @else {
            p {
                @match all.len() {
                    0 => { "No text of a session has " },
                    1 => { "1 text has " },
                    most @ HITS => { (figure(most as u64)) " or more texts have " },
                    many => { (figure(many as u64)) " texts have " },
                }
                b { (words) } "."
                @if memos > 0 { " " a href={ "/memos?" (query) } { (figure(memos as u64)) @if memos == 1 { " memo fits" } @else { " memos fit" } } ", too." }
            }
            ul.hits { @for hit in page.of(&all) { li data-row="" { (one(hit)) } } }
            (turner(page, all.len(), &format!("/search?{query}")))
        }
    };
    Ok(frame("Search", &[], &body))
}

/// A hit, which leads to its record; one of a title to its session.
fn one(hit: &SearchHit) -> Markup {
    let session = format!("/sessions/{}", hit.session);
    let title = if hit.title.is_empty() { hit.session.as_str() } else { hit.title.as_str() };
    html! {
        @match hit.record {
            None => { a href=(session) { (title) } },
            Some(record) => { a href={ (session) "/records/" (record) } { (title) } },
        }
        " " span.sub { (hit.kind) @if let Some(turn) = hit.turn { ", turn " (turn) } @if let Some(record) = hit.record { ", record " (record) } }
        p { (shown(&hit.excerpt)) }
    }
}
