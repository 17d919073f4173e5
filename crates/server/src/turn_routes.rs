//! The paths of turns.

use std::path::Path as FilePath;
use std::time::Duration;

use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use axum::{Extension, Json};
use serde_json::{Value, json};
use throughline::SessionStart;
use throughline::ports::{Approval, SessionId};

use crate::answer::{Answer, Failure, body, fields, text_field};
use crate::app::App;
use crate::page::Page;
use crate::params::Params;
use crate::sessions::{Named, known};
use crate::turns::TurnOrder;

/// How long the answer to a cancel waits for the end of the turn.
const CANCELLED: Duration = Duration::from_secs(10);

type Given = Result<Json<Value>, JsonRejection>;

/// The turns that run.
pub(crate) async fn list(State(app): State<App>, Extension(params): Extension<Params>) -> Answer {
    let page = Page::read(&params)?;
    let all = app.turns.objects();
    page.answer("turns", &all, Value::clone)
}

/// Begins a new session with its first turn.
pub(crate) async fn begin(State(app): State<App>, given: Given) -> Result<Response, Failure> {
    let given = body(given)?;
    fields(&given, &["prompt", "model", "workspace"])?;
    let named = text_field(&given, "workspace")?;
    let order = TurnOrder {
        start: SessionStart::New,
        workspace: app.turns.options().folder(named.as_deref().map(FilePath::new))?,
        prompt: Some(text_field(&given, "prompt")?.ok_or_else(|| Failure::input("`prompt` is missing"))?),
        model: text_field(&given, "model")?,
    };
    started(&app, order).await
}

/// Begins a turn of a stored session.
pub(crate) async fn prompt(State(app): State<App>, id: Named, given: Given) -> Result<Response, Failure> {
    let id = known(&app.storage, id).await?;
    let given = body(given)?;
    fields(&given, &["prompt", "model"])?;
    let workspace = app.folder_of(&id).await?;
    let order = TurnOrder {
        start: SessionStart::Existing(id),
        workspace,
        prompt: text_field(&given, "prompt")?,
        model: text_field(&given, "model")?,
    };
    started(&app, order).await
}

async fn started(app: &App, order: TurnOrder) -> Result<Response, Failure> {
    let turn = app.turns.begin(&app.storage, order).await?;
    Ok(Sse::new(turn.feed.stream(0)).keep_alive(KeepAlive::default()).into_response())
}

/// The events of the turn that runs in a session, or of the newest that ended here.
pub(crate) fn stream(
    app: &App,
    id: &SessionId,
    headers: &HeaderMap,
    params: &Params,
) -> Result<Response, Failure> {
    let none = || {
        let why =
            format!("no turn of session {id} runs here; GET /api/sessions/{id}/messages has its messages");
        Failure::missing(why)
    };
    let turn = app.turns.newest(id).ok_or_else(none)?;
    let seen = headers.get("last-event-id").map(|value| value.to_str().unwrap_or_default());
    let after = match seen.or(params.text("after")) {
        None => 0,
        Some(seen) => turn.feed.number_of(seen).ok_or_else(|| {
            Failure::input(
                "with stream=turn, `Last-Event-ID` and `after` are the id of an event: TURN.NUMBER",
            )
        })?,
    };
    Ok(Sse::new(turn.feed.stream(after)).keep_alive(KeepAlive::default()).into_response())
}

/// Cancels the turn of a session, as Ctrl+C does in a terminal.
pub(crate) async fn cancel(State(app): State<App>, id: Named) -> Answer {
    let id = known(&app.storage, id).await?;
    let Some(turn) = app.turns.running(&id) else {
        return Err(Failure::new(StatusCode::CONFLICT, format!("session {id} runs no turn in this server")));
    };
    turn.cancel.cancel();
    let ended = tokio::time::timeout(CANCELLED, turn.feed.closed()).await.is_ok();
    Ok(Json(json!({ "session": id, "ended": ended })))
}

/// Answers a question of the turn of a session.
pub(crate) async fn answer(
    State(app): State<App>,
    named: Result<Path<(String, String)>, PathRejection>,
    given: Given,
) -> Answer {
    let (id, question) = match named {
        Ok(Path((id, question))) => (Ok(Path(id)), question),
        Err(rejection) => (Err(rejection), String::new()),
    };
    let id = known(&app.storage, id).await?;
    let approval = approval(&body(given)?)?;
    let Some(turn) = app.turns.running(&id) else {
        return Err(Failure::missing(format!("session {id} runs no turn in this server")));
    };
    turn.questions.answer(&question, approval)?;
    Ok(Json(json!({ "session": id, "question": question })))
}

/// Reads an answer: `once`, `always`, which may have another rule, or `deny`, which may have a reason.
fn approval(given: &Value) -> Result<Approval, Failure> {
    fields(given, &["answer", "rule", "feedback"])?;
    let (rule, feedback) = (text_field(given, "rule")?, text_field(given, "feedback")?);
    match (text_field(given, "answer")?.as_deref(), rule, feedback) {
        (Some("once"), None, None) => Ok(Approval::Once),
        (Some("always"), None, None) => Ok(Approval::Always),
        (Some("always"), Some(rule), None) => Ok(Approval::AlwaysBy(rule)),
        (Some("deny"), None, feedback) => Ok(Approval::Deny { feedback }),
        (Some("once" | "always" | "deny"), ..) => {
            Err(Failure::input("`rule` belongs to the answer `always`, and `feedback` to `deny`"))
        }
        _ => Err(Failure::input("`answer` must be `once`, `always` or `deny`")),
    }
}
