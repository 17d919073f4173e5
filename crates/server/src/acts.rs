//! Changes of sessions, their deletion and their export.

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use throughline_agent::Deletion;
use throughline_conversation::{ExchangeId, SessionId};
use throughline_stored::{Error, LogExport, SessionAct, SessionMemos, SessionWriter};
use throughline_text::error_chain;

use crate::answer::{Answer, Failure, Given, body, check_fields, parsed};
use crate::app::App;
use crate::inspector::compact_stored;
use crate::requests::{Numbered, split, whole};
use crate::sessions::{Named, known};

/// The agent that a context is made for, unless the body names one.
const WORKER: &str = "inspector";

/// Maximum bytes of the name of an agent.
const WORKER_BYTES: usize = 60;

/// A compaction now.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Compact {
    /// What the summary is to contain.
    instructions: Option<String>,
}

/// A context that is made again.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Refresh {
    /// The agent that it is for.
    worker: Option<String>,
}

/// A session that was deleted.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Deleted {
    session: String,
    /// Its bytes are in no file any more. `false`: they will not be when no turn runs, or, if another program reads the database, after
    /// the next deletion.
    erased: bool,
}

/// A turn that was deleted.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TurnDeleted {
    group: u64,
    /// Records that were overwritten.
    records: usize,
    /// Stored results that were removed.
    results: usize,
    memos: usize,
    /// Turns that repeat a text of it.
    repeated_in: Vec<u64>,
    /// The new title of the session, if it had quoted the turn.
    title: Option<String>,
}

/// Makes a change of what the model sees.
pub(crate) async fn change(State(app): State<App>, id: Named, given: Given) -> Answer {
    let id = known(&app.storage, id).await?;
    let given = body(given)?;
    let act = SessionAct::read(&given)?;
    if act.is_undo() && app.handle(&id).settings().await?.undo_deletes() {
        let deleted = undo_by_deletion(&app, &id, &act, &given).await;
        return app.explained(&id, deleted);
    }
    if matches!(act, SessionAct::WithFiles(..)) {
        // Files change only where turns may work.
        app.folder_of(&id).await?;
    }
    let changed = app.handle(&id).act(&act).await.map_err(Failure::from);
    app.explained(&id, changed).map(Json)
}

/// An undo where `undo.mode` is `delete`: deletes the turn that it would hide, if the body repeats its number.
async fn undo_by_deletion(app: &App, id: &SessionId, act: &SessionAct, given: &Value) -> Answer {
    if matches!(act, SessionAct::WithFiles(..)) {
        return Err(Failure::input(
            "undo.mode is \"delete\", and a deletion restores no files; leave `files` out, or set undo.mode to \"hide\"",
        ));
    }
    let log = app.log(id).await?;
    let turn = log.undone_turn()?;
    if given.get("confirm").and_then(Value::as_str) != Some(turn.to_string().as_str()) {
        return Err(Failure::new(
            StatusCode::CONFLICT,
            format!(
                "not undone: undo.mode is \"delete\", so this would delete turn {turn} permanently; to confirm, send \
                 {{\"change\": \"undo\", \"confirm\": \"{turn}\"}}"
            ),
        ));
    }
    let handle = app.handle(id);
    let before = handle.view_size(&SessionWriter::Handle, &log.view).await;
    let deleted = delete(app, id, turn).await?;
    Ok(Json(json!({
        "mark": { "kind": "removed", "exchange": turn },
        "before": before,
        "after": handle.view_size(&SessionWriter::Handle, &deleted.view).await,
        "deleted": TurnDeleted::of(turn, &deleted),
    })))
}

/// Compacts now.
pub(crate) async fn compact(State(app): State<App>, id: Named, given: Given) -> Answer {
    let id = known(&app.storage, id).await?;
    let Compact { instructions } = parsed(given)?;
    let instructions = instructions.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let turns = app.turns.options();
    let made = compact_stored(&app.storage, &id, &turns.run, &turns.sources, instructions).await;
    app.explained(&id, made.map_err(Failure::from)).map(Json)
}

/// Makes the context of a session again.
pub(crate) async fn refresh(State(app): State<App>, id: Named, given: Given) -> Answer {
    let id = known(&app.storage, id).await?;
    let Refresh { worker } = parsed(given)?;
    let worker = throughline_text::cut_end(worker.as_deref().unwrap_or(WORKER), WORKER_BYTES);
    Ok(Json(app.handle(&id).refresh_context(worker, app.turns.options().run.listeners.clone()).await?))
}

/// Deletes a session permanently.
pub(crate) async fn delete_session(State(app): State<App>, id: Named, given: Given) -> Answer<Deleted> {
    let id = known(&app.storage, id).await?;
    confirmed(&body(given)?, id.as_str())?;
    let lock = app.handle(&id).lock(&SessionWriter::Handle).await.map_err(Failure::from);
    let lock = app.explained(&id, lock)?;
    let Some(lock) = lock else { return Err(Failure::input("the session is open here")) };
    app.storage.delete_session(&id, lock, SessionMemos::Stay).await?;
    app.forget(&id);
    let erased = app.erasure.erase().await.map_err(Error::from)?;
    Ok(Json(Deleted { session: id.to_string(), erased }))
}

/// Deletes a turn permanently.
pub(crate) async fn delete_turn(
    State(app): State<App>,
    named: Numbered,
    given: Given,
) -> Answer<TurnDeleted> {
    let (id, number) = split(named);
    let id = known(&app.storage, id).await?;
    let turn = whole(&number)?;
    if !app.log(&id).await?.groups().iter().any(|group| group.id.0 == turn) {
        return Err(Failure::missing(format!("the session has no turn {turn}")));
    }
    confirmed(&body(given)?, &turn.to_string())?;
    let deleted = app.explained(&id, delete(&app, &id, ExchangeId(turn)).await)?;
    Ok(Json(TurnDeleted::of(ExchangeId(turn), &deleted)))
}

/// Deletes a turn, under the lock of its session.
async fn delete(app: &App, id: &SessionId, turn: ExchangeId) -> Result<Deletion, Failure> {
    let handle = app.handle(id);
    let mut writer = SessionWriter::Handle;
    let deleted = handle.locked(handle.delete_turn(&mut writer, turn)).await;
    app.logs.forget(id);
    app.mirrors.forget(id);
    Ok(deleted?)
}

impl TurnDeleted {
    fn of(turn: ExchangeId, deleted: &Deletion) -> Self {
        Self {
            group: turn.0,
            records: deleted.records,
            results: deleted.results,
            memos: deleted.memos,
            repeated_in: deleted.repeated_in.iter().map(|turn| turn.0).collect(),
            title: deleted.title.clone(),
        }
    }
}

/// The log, one record per line.
pub(crate) async fn export(State(app): State<App>, id: Named) -> Result<Response, Failure> {
    let id = known(&app.storage, id).await?;
    let mut export = LogExport::new(app.storage, id.clone());
    // A log that cannot be read is refused; if that fails later, the answer breaks off.
    let first = export.next().await?;
    let rest = stream::try_unfold(export, async |mut export| {
        let lines = export.next().await.inspect_err(|error| {
            tracing::error!(error = error_chain(error), "an export broke off");
        })?;
        Ok::<_, Error>(lines.map(|lines| (lines, export)))
    });
    let lines = stream::iter(first.map(Ok)).chain(rest);
    let name = format!("attachment; filename=\"{id}.jsonl\"");
    let headers = [(CONTENT_TYPE, "application/jsonl".to_owned()), (CONTENT_DISPOSITION, name)];
    Ok((headers, Body::from_stream(lines)).into_response())
}

/// A deletion repeats what it deletes.
fn confirmed(given: &Value, wanted: &str) -> Result<(), Failure> {
    check_fields(given, &["confirm"])?;
    match given.get("confirm").and_then(Value::as_str) {
        Some(text) if text == wanted => Ok(()),
        _ => Err(Failure::input(format!("nothing is deleted: to confirm, send {{\"confirm\": {wanted:?}}}"))),
    }
}
