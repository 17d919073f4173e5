//! The memos of all folders.

use axum::Extension;
use axum::extract::State;
use throughline_memory::{Memo, Scope};
use throughline_stored::{Error, Memos, Storage, memo_object};

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
    found.retain(|memo| is_within(caller, memo));
    Ok(found)
}

/// The number of memos with these words; 0 for a text without a word that memos are searched for.
pub(crate) async fn count_with(storage: Storage, words: &str, caller: &Caller) -> Result<usize, Failure> {
    match (Memos { storage, scope: Scope::All }).search(words).await {
        Err(Error::Usage(_)) => Ok(0),
        found => Ok(found?.iter().filter(|memo| is_within(caller, memo)).count()),
    }
}

fn is_within(caller: &Caller, memo: &Memo) -> bool {
    caller.scope.contains(memo.workspace.as_deref().unwrap_or_default())
}
