//! What a session sent, request by request, and what its compactions took away.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use serde_json::{Value, json};
use throughline_conversation::SessionId;
use throughline_stored::{SessionLog, receipts};

use crate::answer::{Answer, Failure};
use crate::app::App;
use crate::inspector::{RequestPoint, StoredLog, explained_pieces, timeline};
use crate::page::Page;
use crate::sessions::{Named, NamedLog, known, table};
use crate::transcripts::{TranscriptPart, part_diff};

/// An id and a number in a path, unchecked.
pub(crate) type Numbered = Result<Path<(String, String)>, PathRejection>;

/// The receipts of a session: budget by component, decisions and cache use of each request, oldest first.
pub(crate) async fn list(page: Page, State(app): State<App>, named: NamedLog) -> Answer {
    let mirror = app.mirror(&named.id, &named.log).await?;
    let log = figured(&named.log, mirror.as_deref());
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
    NamedLog { id, log }.answer(page, "pieces", &all, |one| json!(one))
}

/// The compactions of a session, oldest first.
pub(crate) async fn compactions(page: Page, State(app): State<App>, named: NamedLog) -> Answer {
    let mirror = app.mirror(&named.id, &named.log).await?;
    let log = figured(&named.log, mirror.as_deref());
    named.answer(page, "compactions", &log.compaction_objects(), Value::clone)
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

/// The log with the receipts and compactions of a session: that of the transcript, where it was stored from one.
fn figured<'l>(log: &'l StoredLog, mirror: Option<&'l TranscriptPart>) -> &'l SessionLog {
    mirror.map_or(log, |part| &part.log)
}

/// The window by component of each request of a session.
pub(crate) async fn request_points(
    app: &App,
    id: &SessionId,
    log: &Arc<StoredLog>,
) -> Result<Vec<RequestPoint>, Failure> {
    Ok(match app.mirror(id, log).await? {
        Some(part) => part.points.clone(),
        None => timeline(&log.records, &table()?),
    })
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
