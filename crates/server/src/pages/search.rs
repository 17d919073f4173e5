//! Search over all sessions.

use axum::Extension;
use axum::extract::State;
use maud::html;
use throughline::Search;

use super::layout::{PageAnswer, page as frame, turner};
use super::text::shown;
use crate::app::App;
use crate::page::Page;
use crate::params::Params;
use crate::views::HITS;

/// The hits of a search, and what was searched for.
pub(crate) async fn search(State(app): State<App>, Extension(params): Extension<Params>) -> PageAnswer {
    let page = Page::read(&params)?;
    let words = params.text("q").unwrap_or_default().to_owned();
    let all = match words.as_str() {
        "" => Vec::new(),
        words => app.storage.search(&Search::new(words, None, HITS)?).await?,
    };
    let address: String =
        url::form_urlencoded::Serializer::new("/search?".to_owned()).append_pair("q", &words).finish();
    let address = address.replacen("?&", "?", 1);
    let body = html! {
        @if words.is_empty() { p.empty { "Write words into the field above: titles and messages that have all of them are found." } }
        @else {
            p { (all.len()) @if all.len() == HITS { " or more" } " texts have " b { (words) } "." }
            ul.hits { @for hit in page.of(&all) { li data-row="" {
                a href={ "/sessions/" (hit.session) "/turns" } { @if hit.title.is_empty() { (hit.session) } @else { (hit.title) } }
                span.sub { " " (hit.kind) @if let Some(turn) = hit.turn { ", turn " (turn) } }
                p { (shown(&hit.excerpt)) }
            } } }
            (turner(page, all.len(), &address))
        }
    };
    Ok(frame("Search", &[], &body))
}
