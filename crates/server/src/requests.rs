//! What a session sent, request by request, and what its compactions took away.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use serde_json::{Value, json};
use throughline_stored::receipts;

use crate::answer::{Answer, Failure};
use crate::app::App;
use crate::inspector::explained_pieces;
use crate::page::Page;
use crate::sessions::{Named, NamedLog, known, table};
use crate::transcripts::part_diff;

/// An id and a number in a path, unchecked.
pub(crate) type Numbered = Result<Path<(String, String)>, PathRejection>;

/// The receipts of a session: budget by component, decisions and cache use of each request, oldest first.
pub(crate) async fn list(page: Page, named: NamedLog) -> Answer {
    let log = named.figured();
    let all: Vec<_> = receipts(&log.records).collect();
    named.answer(page, "requests", &all, |one| json!(one))
}

/// One request, verbatim, with its receipt.
pub(crate) async fn show(State(app): State<App>, named: Numbered) -> Answer {
    let (id, number) = split(named);
    let id = known(&app.storage, id).await?;
    let number = whole(&number)?;
    let log = app.log(&id).await?;
    Ok(Json(app.handle(&id).sent_request(&log.records, Some(number))?.object()))
}

/// The pieces of one request, in the order in which they were sent.
pub(crate) async fn pieces(page: Page, State(app): State<App>, named: Numbered) -> Answer {
    let (id, number) = split(named);
    let id = known(&app.storage, id).await?;
    let number = whole(&number)?;
    let log = app.log(&id).await?;
    let (_, all) = explained_pieces(&app.handle(&id), &log.records, number, &table()?)?;
    NamedLog { id, log, mirror: None }.answer(page, "pieces", &all, |one| json!(one))
}

/// The compactions of a session, oldest first.
pub(crate) async fn compactions(page: Page, named: NamedLog) -> Answer {
    named.answer(page, "compactions", &named.figured().compaction_objects(), Value::clone)
}

/// What one compaction took away.
pub(crate) async fn compaction(State(app): State<App>, named: Numbered) -> Answer {
    let (id, number) = split(named);
    let id = known(&app.storage, id).await?;
    let number = whole(&number)?;
    let log = app.log(&id).await?;
    if let Some(part) = app.mirror(&id, &log).await? {
        return Ok(Json(json!(part_diff(&part, number).await?)));
    }
    Ok(Json(json!(app.handle(&id).compaction(&log, Some(number))?)))
}

/// The id of a path, and its number.
pub(crate) fn split(named: Numbered) -> (Named, String) {
    match named {
        Ok(Path((id, number))) => (Ok(Path(id)), number),
        Err(rejection) => (Err(rejection), String::new()),
    }
}

/// The number of a path. Any other text is not repeated.
pub(crate) fn whole(text: &str) -> Result<u64, Failure> {
    text.parse().map_err(|_| Failure::missing("the number in the path must be a whole number from 1"))
}
