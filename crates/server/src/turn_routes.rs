//! The paths of turns.

use std::path::Path as FilePath;
use std::time::Duration;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use throughline_continuity::SessionInfo;
use throughline_permission::Approval;
use throughline_stored::SessionStart;
use throughline_tools::ElicitationAnswer;

use crate::answer::{Answer, Failure, Given, typed};
use crate::app::App;
use crate::audit::MadeSession;
use crate::caller::Caller;
use crate::event_stream::event_stream;
use crate::page::Page;
use crate::params::Params;
use crate::sessions::{Named, known};
use crate::turns::{QuestionReply, TurnOrder};

/// How long the answer to a cancel waits for the end of the turn.
const CANCELLED: Duration = Duration::from_secs(10);

/// A new session, and its first turn.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct NewSession {
    prompt: String,
    /// Another model than that of the settings, as `provider/model`.
    model: Option<String>,
    /// The folder to work in; the first of the server without it.
    workspace: Option<String>,
}

/// A turn.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Prompt {
    /// Without it, the interrupted turn continues.
    prompt: Option<String>,
    /// Another model than that of the session, as `provider/model`.
    model: Option<String>,
}

/// An answer to a question of a turn.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(rename = "Answer")]
pub(crate) struct QuestionAnswer {
    /// Of a `question`: `once`, `always` or `deny`. Of an `elicitation`: `accept`, `decline` or `cancel`.
    answer: String,
    /// With `always`: the rule to remember in place of the question's.
    rule: Option<String>,
    /// With `deny`: what the model is to do instead.
    feedback: Option<String>,
    /// With `accept`: the values of the form by name.
    content: Option<Map<String, Value>>,
}

/// A turn that was cancelled.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Cancelled {
    session: String,
    /// `false`: it has not ended yet.
    ended: bool,
}

/// A question that was answered.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answered {
    session: String,
    question: String,
}

/// The turns that run.
pub(crate) async fn list(page: Page, State(app): State<App>, caller: Caller) -> Answer {
    page.answer("turns", &app.turns.listed(&caller.scope), |one| json!(one))
}

/// Begins a new session with its first turn.
pub(crate) async fn begin(State(app): State<App>, caller: Caller, given: Given) -> Result<Response, Failure> {
    let NewSession { prompt, model, workspace } = typed(given)?;
    let workspace = app.turns.options().folder(workspace.as_deref().map(FilePath::new), &caller.scope)?;
    let owner = caller.owner().map(str::to_owned);
    let order = TurnOrder { start: SessionStart::New, workspace, prompt: Some(prompt), model, owner };
    started(&app, order).await
}

/// Begins a turn of a stored session.
pub(crate) async fn prompt(
    State(app): State<App>,
    caller: Caller,
    id: Named,
    given: Given,
) -> Result<Response, Failure> {
    let id = known(&app.storage, id).await?;
    let Prompt { prompt, model } = typed(given)?;
    let workspace = app.folder_of(&id).await?;
    let owner = caller.owner().map(str::to_owned);
    let order = TurnOrder { start: SessionStart::Existing(id), workspace, prompt, model, owner };
    started(&app, order).await
}

/// Begins a turn and sends its events.
async fn started(app: &App, order: TurnOrder) -> Result<Response, Failure> {
    let is_new = order.start.is_new();
    let existing = match &order.start {
        SessionStart::Existing(session) => Some(session.clone()),
        SessionStart::New | SessionStart::Fork(_) => None,
    };
    let begun = app.turns.begin(&app.storage, order).await;
    let turn = match &existing {
        Some(session) => app.explained(session, begun)?,
        None => begun?,
    };
    let mut response = event_stream(turn.feed.stream(0));
    if let Some(session) = turn.session().filter(|_| is_new) {
        response.extensions_mut().insert(MadeSession(session.clone()));
    }
    Ok(response)
}

/// The events of the turn that runs in a session, or of the newest that ended here.
pub(crate) fn stream(
    app: &App,
    session: &SessionInfo,
    headers: &HeaderMap,
    params: &Params,
) -> Result<Response, Failure> {
    let none = || {
        let why = format!(
            "no turn of session {id} runs here; GET /api/sessions/{id}/messages has its messages",
            id = session.id
        );
        Failure::missing(why)
    };
    let turn = app.turns.newest(session).ok_or_else(none)?;
    let seen = headers.get("last-event-id").map(|value| value.to_str().unwrap_or_default());
    let after = match seen.or(params.text("after")) {
        None => 0,
        Some(seen) => turn.feed.number_of(seen).ok_or_else(|| {
            Failure::input(
                "with stream=turn, `Last-Event-ID` and `after` are the id of an event: TURN.NUMBER",
            )
        })?,
    };
    // A browser that is answered otherwise connects again for ever (HTML standard, 9.2.3).
    if seen.is_some() && turn.feed.is_read(after) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    Ok(event_stream(turn.feed.stream(after)))
}

/// Cancels the turn of a session, as Ctrl+C does in a terminal.
pub(crate) async fn cancel(State(app): State<App>, id: Named) -> Answer<Cancelled> {
    let id = known(&app.storage, id).await?;
    let Some(turn) = app.turns.running(&id) else {
        return Err(Failure::new(StatusCode::CONFLICT, format!("session {id} runs no turn in this server")));
    };
    turn.cancel.cancel();
    let ended = tokio::time::timeout(CANCELLED, turn.feed.closed()).await.is_ok();
    Ok(Json(Cancelled { session: id.to_string(), ended }))
}

/// Answers a question of the turn of a session.
pub(crate) async fn answer(
    State(app): State<App>,
    named: Result<Path<(String, String)>, PathRejection>,
    given: Given,
) -> Answer<Answered> {
    let (id, question) = match named {
        Ok(Path((id, question))) => (Ok(Path(id)), question),
        Err(rejection) => (Err(rejection), String::new()),
    };
    let id = known(&app.storage, id).await?;
    let reply = reply(typed(given)?)?;
    let Some(turn) = app.turns.running(&id) else {
        return Err(Failure::missing(format!("session {id} runs no turn in this server")));
    };
    turn.questions.answer(&question, reply)?;
    Ok(Json(Answered { session: id.to_string(), question }))
}

/// Reads an answer: `once`, `always`, which may have another rule, or `deny`, which may have a reason; or `accept` with the values of
/// a form, `decline` or `cancel`.
fn reply(given: QuestionAnswer) -> Result<QuestionReply, Failure> {
    let QuestionAnswer { answer, rule, feedback, content } = given;
    let approval = match (answer.as_str(), rule, feedback, content) {
        ("once", None, None, None) => Approval::Once,
        ("always", None, None, None) => Approval::Always,
        ("always", Some(rule), None, None) => Approval::AlwaysBy(rule),
        ("deny", None, feedback, None) => Approval::denied(feedback.as_deref()),
        ("accept", None, None, content) => {
            return Ok(QuestionReply::Elicitation(ElicitationAnswer::Accept(content.unwrap_or_default())));
        }
        ("decline", None, None, None) => return Ok(QuestionReply::Elicitation(ElicitationAnswer::Decline)),
        ("cancel", None, None, None) => return Ok(QuestionReply::Elicitation(ElicitationAnswer::Cancel)),
        ("once" | "always" | "deny" | "accept" | "decline" | "cancel", ..) => {
            let why =
                "`rule` belongs to the answer `always`, `feedback` to `deny`, and `content` to `accept`";
            return Err(Failure::input(why));
        }
        _ => {
            let why = "`answer` must be `once`, `always`, `deny`, `accept`, `decline` or `cancel`";
            return Err(Failure::input(why));
        }
    };
    Ok(QuestionReply::Approval(approval))
}
