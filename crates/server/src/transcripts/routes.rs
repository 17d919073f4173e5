//! The API of transcripts.

use axum::Json;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use throughline_conversation::Seq;
use throughline_stored::turn_messages_object;

use super::diffs::opened_diff;
use super::objects::{SubagentObject, TranscriptDetails, TranscriptObject};
use super::reader::{OpenedTranscript, unknown_transcript};
use crate::answer::{Answer, Failure};
use crate::app::App;
use crate::caller::Caller;
use crate::inspector::record_text;
use crate::page::Page;
use crate::requests::{Numbered, split, whole};
use crate::sessions::Named;

/// The transcript that a path names. Whether its caller may see it was decided before.
pub(crate) async fn opened(app: &App, named: Named) -> Result<OpenedTranscript, Failure> {
    app.transcripts.open(&key(named)?).await
}

/// The key that a path names.
pub(crate) fn key(named: Named) -> Result<String, Failure> {
    named.map(|path| path.0).map_err(|_| unknown_transcript(""))
}

/// The transcripts, the one that was written last first.
pub(crate) async fn list(page: Page, State(app): State<App>, caller: Caller) -> Answer {
    let all = app.transcripts.list(caller.scope).await?;
    app.transcripts.read_behind(&all);
    page.answer("transcripts", &all, |found| TranscriptObject::of(&app.transcripts, found))
}

/// One transcript with what it cost and why.
pub(crate) async fn show(State(app): State<App>, named: Named) -> Answer {
    let opened = opened(&app, named).await?;
    let part = opened.part()?;
    let subs = app.transcripts.subs(&opened).await?;
    let details = TranscriptDetails {
        transcript: TranscriptObject {
            transcript: opened.key.clone(),
            title: part.title.clone(),
            ..TranscriptObject::of(&app.transcripts, &opened.found)
        },
        warnings: part.warnings.clone(),
        causes: part.causes(),
        tools: part.tools().into_iter().map(Into::into).collect(),
        largest: part.audit.largest.iter().map(Into::into).collect(),
        subagents: subs.iter().map(SubagentObject::from).collect(),
    };
    Ok(Json(json!(details)))
}

/// The requests, oldest first.
pub(crate) async fn requests(page: Page, State(app): State<App>, named: Named) -> Answer {
    let opened = opened(&app, named).await?;
    page.answer("requests", &opened.part()?.points, |one| json!(one))
}

/// The turns with all parts of their messages, oldest first.
pub(crate) async fn messages(page: Page, State(app): State<App>, named: Named) -> Answer {
    let opened = opened(&app, named).await?;
    let log = &opened.part()?.log;
    let groups = log.message_groups();
    let turns = log.messages_of(page.of(&groups));
    let objects: Vec<Value> = turns.iter().map(|turn| json!(turn_messages_object(turn))).collect();
    Ok(Json(page.object("turns", &objects, groups.len())))
}

/// The compactions, oldest first.
pub(crate) async fn compactions(page: Page, State(app): State<App>, named: Named) -> Answer {
    let opened = opened(&app, named).await?;
    page.answer("compactions", &opened.part()?.compaction_objects(), |one| json!(one))
}

/// What one compaction took away, and what of it was needed later.
pub(crate) async fn compaction(State(app): State<App>, named: Numbered) -> Answer {
    let (key, number) = split(named);
    let opened = opened(&app, key).await?;
    Ok(Json(json!(opened_diff(opened, whole(&number)?).await?)))
}

/// A record of a transcript as text, whole.
pub(crate) async fn content(State(app): State<App>, named: Numbered) -> Result<Response, Failure> {
    let (key, number) = split(named);
    let opened = opened(&app, key).await?;
    let text = text_of(&opened, whole(&number)?)?;
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// The text of a record.
pub(crate) fn text_of(opened: &OpenedTranscript, number: u64) -> Result<String, Failure> {
    let log = &opened.part()?.log;
    let found = log.records.iter().find(|record| record.seq == Seq(number));
    let missing = || {
        let last = log.last;
        Failure::missing(format!("the transcript has no record {number}; its records are 1 to {last}"))
    };
    found.map(record_text).ok_or_else(missing)
}
