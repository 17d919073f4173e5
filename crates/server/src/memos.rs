//! The memos of all folders.

use axum::Extension;
use axum::extract::State;
use throughline_memory::{Memo, Scope};
use throughline_stored::{Memos, Storage, memo_object};

use crate::answer::{Answer, Failure};
use crate::caller::Caller;
use crate::page::Page;
use crate::params::Params;

/// The memos, the last changed first; with `q` those that contain one of its words, best match first.
pub(crate) async fn list(
    page: Page,
    State(storage): State<Storage>,
    caller: Caller,
    Extension(params): Extension<Params>,
) -> Answer {
    page.answer("memos", &fitting(storage, &params, &caller).await?, memo_object)
}

/// The memos of a caller's folders that fit the parameters `q` or `tag`; all of them without these. A memo about no folder is
/// there for callers of all folders alone: it may come from any session.
pub(crate) async fn fitting(
    storage: Storage,
    params: &Params,
    caller: &Caller,
) -> Result<Vec<Memo>, Failure> {
    let memos = Memos { storage, scope: Scope::All };
    let mut found = match (params.text("q"), params.text("tag")) {
        (Some(_), Some(_)) => return Err(Failure::input("`q` and `tag` cannot be combined")),
        (Some(words), None) => memos.search(words).await?,
        (None, tag) => memos.list(&tag.map(str::to_owned).into_iter().collect::<Vec<_>>()).await?,
    };
    found.retain(|memo| caller.scope.contains(memo.workspace.as_deref().unwrap_or_default()));
    Ok(found)
}
