//! Changes of sessions, their deletion and their export.

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use throughline::{SessionAct, SessionWriter, compact_stored, export_lines};
use throughline_conversation::ExchangeId;

use crate::answer::{Answer, Failure, body};
use crate::app::App;
use crate::requests::{Numbered, split, whole};
use crate::sessions::{Named, known};

/// The agent that a context is made for, unless the body names one.
const WORKER: &str = "inspector";

/// Most bytes of the name of an agent.
const WORKER_BYTES: usize = 60;

type Given = Result<Json<Value>, JsonRejection>;

/// Makes a change of what the model sees.
pub(crate) async fn change(State(app): State<App>, id: Named, given: Given) -> Answer {
    let id = known(&app.storage, id).await?;
    let act = SessionAct::read(&body(given)?)?;
    if matches!(act, SessionAct::WithFiles(..)) {
        // Files change only where turns may work.
        app.folder_of(&id).await?;
    }
    Ok(Json(app.handle(&id).act(&act).await?))
}

/// Compacts now.
pub(crate) async fn compact(State(app): State<App>, id: Named, given: Given) -> Answer {
    let id = known(&app.storage, id).await?;
    let given = body(given)?;
    let instructions = given.get("instructions").and_then(Value::as_str).map(str::trim);
    let instructions = instructions.filter(|text| !text.is_empty());
    let turns = app.turns.options();
    Ok(Json(compact_stored(&app.storage, &id, &turns.run, &turns.sources, instructions).await?))
}

/// Makes the context of a session again.
pub(crate) async fn refresh(State(app): State<App>, id: Named, given: Given) -> Answer {
    let id = known(&app.storage, id).await?;
    let given = body(given)?;
    let worker = given.get("worker").and_then(Value::as_str).unwrap_or(WORKER);
    let worker = throughline_text::cut_end(worker, WORKER_BYTES);
    Ok(Json(app.handle(&id).refresh_context(worker).await?))
}

/// Deletes a session permanently.
pub(crate) async fn delete_session(State(app): State<App>, id: Named, given: Given) -> Answer {
    let id = known(&app.storage, id).await?;
    confirmed(&body(given)?, id.as_str())?;
    let lock = app.handle(&id).lock(&SessionWriter::Handle).await?;
    let Some(lock) = lock else { return Err(Failure::input("the session is open here")) };
    let deleted = app.storage.delete_session(&id, lock).await?;
    app.logs.forget(&id);
    let erased = app.storage.store.forget_deleted().await.map_err(throughline::Error::from)?;
    Ok(Json(json!({ "session": id, "memos": deleted.memos, "erased": erased })))
}

/// Deletes a turn permanently.
pub(crate) async fn delete_turn(State(app): State<App>, named: Numbered, given: Given) -> Answer {
    let (id, number) = split(named);
    let id = known(&app.storage, id).await?;
    let turn = whole(&number)?;
    if !app.log(&id).await?.groups().iter().any(|group| group.id.0 == turn) {
        return Err(Failure::missing(format!("the session has no turn {turn}")));
    }
    confirmed(&body(given)?, &turn.to_string())?;
    let handle = app.handle(&id);
    let mut writer = SessionWriter::Handle;
    let _lock = handle.lock(&writer).await?;
    let deleted = handle.delete_turn(&mut writer, ExchangeId(turn)).await;
    app.logs.forget(&id);
    let deleted = deleted?;
    Ok(Json(json!({
        "group": turn,
        "records": deleted.records,
        "results": deleted.results,
        "memos": deleted.memos,
        "repeated_in": deleted.repeated_in,
        "title": deleted.title,
    })))
}

/// The log, one record per line.
pub(crate) async fn export(State(app): State<App>, id: Named) -> Result<Response, Failure> {
    let id = known(&app.storage, id).await?;
    let mut lines = Vec::new();
    export_lines(&app.storage, &id, &mut lines).await?;
    let name = format!("attachment; filename=\"{id}.jsonl\"");
    let headers = [(CONTENT_TYPE, "application/jsonl".to_owned()), (CONTENT_DISPOSITION, name)];
    Ok((headers, lines).into_response())
}

/// A deletion repeats what it deletes.
fn confirmed(given: &Value, wanted: &str) -> Result<(), Failure> {
    match given.get("confirm").and_then(Value::as_str) {
        Some(text) if text == wanted => Ok(()),
        _ => Err(Failure::input(format!("nothing is deleted: to confirm, send {{\"confirm\": {wanted:?}}}"))),
    }
}
