//! What a session sent, request by request, and what its compactions took away.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::Uri;
use serde_json::{Value, json};
use throughline::{SessionHandle, Storage, receipts};

use crate::answer::{Answer, Failure};
use crate::page::{LIMIT, OFFSET, Page};
use crate::params::Params;
use crate::sessions::{Named, known};

/// An id and a number in a path, unchecked.
type Numbered = Result<Path<(String, String)>, PathRejection>;

/// The receipts of a session: budget by component, decisions and cache use of each request, oldest first.
pub(crate) async fn list(State(storage): State<Storage>, id: Named, uri: Uri) -> Answer {
    let page = Page::read(&Params::read(&uri, &[LIMIT, OFFSET])?)?;
    let id = known(&storage, id).await?;
    let records = storage.records(&id).await?;
    let all: Vec<_> = receipts(&records).collect();
    let shown: Vec<Value> = page.of(&all).iter().map(|receipt| json!(receipt)).collect();
    Ok(Json(page.object("requests", &shown, all.len())))
}

/// One request, verbatim, with its receipt.
pub(crate) async fn show(State(storage): State<Storage>, named: Numbered, uri: Uri) -> Answer {
    Params::read(&uri, &[])?;
    let (id, number) = split(named);
    let id = known(&storage, id).await?;
    let number = whole(&number)?;
    let records = storage.records(&id).await?;
    Ok(Json(SessionHandle::new(storage, id).sent_request(&records, Some(number))?.object()))
}

/// The compactions of a session, oldest first.
pub(crate) async fn compactions(State(storage): State<Storage>, id: Named, uri: Uri) -> Answer {
    let page = Page::read(&Params::read(&uri, &[LIMIT, OFFSET])?)?;
    let id = known(&storage, id).await?;
    let all = SessionHandle::new(storage, id).log().await?.compaction_objects();
    Ok(Json(page.object("compactions", page.of(&all), all.len())))
}

/// What one compaction took away.
pub(crate) async fn compaction(State(storage): State<Storage>, named: Numbered, uri: Uri) -> Answer {
    Params::read(&uri, &[])?;
    let (id, number) = split(named);
    let id = known(&storage, id).await?;
    let number = whole(&number)?;
    let handle = SessionHandle::new(storage, id);
    let log = handle.log().await?;
    Ok(Json(json!(handle.compaction(&log, Some(number))?)))
}

/// The id of a path, and its number.
fn split(named: Numbered) -> (Named, String) {
    match named {
        Ok(Path((id, number))) => (Ok(Path(id)), number),
        Err(rejection) => (Err(rejection), String::new()),
    }
}

/// The number of a path. Any other text is not repeated.
fn whole(text: &str) -> Result<u64, Failure> {
    text.parse().map_err(|_| Failure::missing("the number in the path must be a whole number from 1"))
}
