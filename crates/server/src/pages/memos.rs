//! The memos of all folders.

use axum::Extension;
use axum::extract::State;
use maud::html;
use throughline_stored::Storage;
use throughline_text::headline;

use super::layout::{PageAnswer, page as frame, turner};
use super::text::{shown, time};
use crate::caller::Caller;
use crate::memos::fitting;
use crate::page::Page;
use crate::params::Params;

/// The memos that fit the parameters `q` and `tag`, each with its tags.
pub(crate) async fn memos(
    State(storage): State<Storage>,
    caller: Caller,
    Extension(params): Extension<Params>,
) -> PageAnswer {
    let all = fitting(storage, &params, &caller).await?;
    let page = Page::read(&params)?.within(all.len());
    let mut address = url::form_urlencoded::Serializer::new(String::new());
    for name in ["q", "tag"] {
        if let Some(value) = params.text(name) {
            address.append_pair(name, value);
        }
    }
    let address = match address.finish() {
        query if query.is_empty() => "/memos".to_owned(),
        query => format!("/memos?{query}"),
    };
    let body = html! {
        form.acts action="/memos" method="get" {
            input type="search" name="q" value=[params.text("q")] placeholder="Words of a memo" aria-label="Search the memos";
            @if let Some(tag) = params.text("tag") { span.badge.plain { "tag " (tag) } " " a href="/memos" { "all memos" } }
        }
        @if all.is_empty() { p.empty { "There is no such memo. The model and " code { "throughline memos add" } " write memos." } }
        @for memo in page.of(&all) {
            details.piece data-row="" open {
                summary {
                    span.kind.summary { (memo.id) }
                    span.name { (headline(&memo.content, 80)) }
                    span.sub {
                        @match &memo.workspace { Some(folder) => { (folder) }, None => { "every folder" } }
                        " · " (time(memo.updated)) " UTC"
                    }
                }
                // What can be clicked is not in the line that folds and unfolds.
                @if !memo.tags.is_empty() || memo.session.is_some() {
                    p.sub {
                        @for tag in &memo.tags { a.badge.mark href={ "/memos?" (tagged(tag)) } { (tag) } " " }
                        @if let Some(session) = &memo.session { "written in " a href={ "/sessions/" (session) } { (session) } }
                    }
                }
                pre tabindex="0" { (shown(&memo.content)) }
            }
        }
        (turner(page, all.len(), &address))
    };
    Ok(frame("Memos", &[], &body))
}

fn tagged(tag: &str) -> String {
    url::form_urlencoded::Serializer::new(String::new()).append_pair("tag", tag).finish()
}
