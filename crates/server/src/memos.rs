//! The memos of all folders.

use axum::extract::State;
use axum::{Extension, Json};
use serde_json::Value;
use throughline::{Memos, Storage, memo_object};
use throughline_memory::Scope;

use crate::answer::{Answer, Failure};
use crate::page::Page;
use crate::params::Params;

/// The memos, the last changed first; with `q` those that contain one of its words, best match first.
pub(crate) async fn list(State(storage): State<Storage>, Extension(params): Extension<Params>) -> Answer {
    let page = Page::read(&params)?;
    let memos = Memos { storage, scope: Scope::All };
    let all = match (params.text("q"), params.text("tag")) {
        (Some(_), Some(_)) => return Err(Failure::input("`q` and `tag` cannot be combined")),
        (Some(words), None) => memos.search(words).await?,
        (None, tag) => memos.list(&tag.map(str::to_owned).into_iter().collect::<Vec<_>>()).await?,
    };
    let shown: Vec<Value> = page.of(&all).iter().map(memo_object).collect();
    Ok(Json(page.object("memos", &shown, all.len())))
}
