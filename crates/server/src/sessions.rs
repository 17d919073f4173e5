//! Sessions, and what is stored of each.

use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::{Extension, Json};
use serde::Serialize;
use serde_json::{Value, json};
use throughline_connect::{ConnectError, model_table};
use throughline_continuity::{SessionDirectory as _, SessionInfo, SessionSummary};
use throughline_conversation::SessionId;
use throughline_store::ListedSession;
use throughline_stored::{
    Error, SessionCost, SessionHandle, Storage, checkpoint_object, session_object, turn_messages_object,
};

use crate::answer::{Answer, Failure};
use crate::app::App;
use crate::caller::Caller;
use crate::inspector::StoredLog;
use crate::page::Page;
use crate::params::Params;

/// The field of answers with what of a log is lost.
pub(crate) const LOST: &str = "lost";

/// The id in a path, unchecked.
pub(crate) type Named = Result<Path<String>, PathRejection>;

/// A stored session that the path names, and its whole log.
#[derive(Debug)]
pub(crate) struct NamedLog {
    pub(crate) id: SessionId,
    pub(crate) log: Arc<StoredLog>,
}

impl NamedLog {
    /// A page of a list of the log as an answer. It says what of the log is lost.
    pub(crate) fn answer<'a, T, S: Serialize>(
        &self,
        page: Page,
        name: &str,
        all: &'a [T],
        object: impl Fn(&'a T) -> S,
    ) -> Answer {
        let Json(answer) = page.answer(name, all, object)?;
        Ok(Json(self.with_lost(answer)))
    }

    /// An object with what of the log is lost.
    fn with_lost(&self, mut object: Value) -> Value {
        if let Some(fields) = object.as_object_mut() {
            fields.insert(LOST.to_owned(), json!(self.log.lost_objects()));
        }
        object
    }
}

impl FromRequestParts<App> for NamedLog {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        let id = known(&app.storage, Path::from_request_parts(parts, app).await).await?;
        let log = app.log(&id).await?;
        Ok(Self { id, log })
    }
}

/// The sessions, the one that was written last first; with `q` those that fit it.
pub(crate) async fn list(
    page: Page,
    State(app): State<App>,
    caller: Caller,
    Extension(params): Extension<Params>,
) -> Answer {
    let storage = &app.storage;
    let all = match params.text("q") {
        None => storage.names_in(&caller.scope).await?,
        Some(words) => matching(storage, words, &caller).await?,
    };
    let shown = storage.with_figures(page.of(&all)).await?;
    app.mirrors.read_behind(storage, shown.iter());
    let shown = objects(&app, &shown).await?;
    Ok(Json(page.object("sessions", &shown, all.len())))
}

/// The sessions of a caller with their figures, of those that the parameter `q` fits; all of them without it.
pub(crate) async fn fitting(
    storage: &Storage,
    params: &Params,
    caller: &Caller,
) -> Result<Vec<SessionSummary>, Failure> {
    Ok(match params.text("q") {
        None => storage.sessions_in(&caller.scope).await?,
        Some(words) => storage.with_figures(&matching(storage, words, caller).await?).await?,
    })
}

async fn matching(storage: &Storage, words: &str, caller: &Caller) -> Result<Vec<ListedSession>, Failure> {
    match storage.matching_in(words, None, &caller.scope).await {
        Err(Error::Missing(_)) => Ok(Vec::new()),
        found => Ok(found?),
    }
}

/// One session.
pub(crate) async fn show(State(app): State<App>, named: NamedLog) -> Answer {
    let one = summary(&app.storage, &named.id).await?;
    // Reads the figures of a stored transcript, which the object has.
    app.mirror(&named.id, &named.log).await?;
    let mut objects = objects(&app, std::slice::from_ref(&one)).await?;
    Ok(Json(named.with_lost(objects.pop().unwrap_or_default())))
}

/// A session with its figures.
pub(crate) async fn summary(storage: &Storage, id: &SessionId) -> Result<SessionSummary, Failure> {
    storage.session(id).await?.ok_or_else(|| unknown(id.as_str()))
}

/// The turns of a session with all parts of their messages, oldest first. Deleted turns are left out.
pub(crate) async fn messages(page: Page, named: NamedLog) -> Answer {
    let groups = named.log.message_groups();
    let turns = named.log.messages_of(page.of(&groups));
    let shown: Vec<Value> = turns.iter().map(|turn| json!(turn_messages_object(turn))).collect();
    Ok(Json(named.with_lost(page.object("turns", &shown, groups.len()))))
}

/// The checkpoints of a session, oldest first.
pub(crate) async fn checkpoints(page: Page, named: NamedLog) -> Answer {
    named.answer(page, "checkpoints", &named.log.checkpoints(), checkpoint_object)
}

/// The current handoff of a session that has a checkpoint with one.
pub(crate) async fn handoff(State(app): State<App>, NamedLog { id, log }: NamedLog) -> Answer {
    let handle = SessionHandle::new(app.storage, id);
    let newest = handle.checkpoint(&log, None)?;
    match &newest.checkpoint.handoff {
        Some(_) => Ok(Json(json!(handle.handoff().await?))),
        None => Err(Failure::missing("no handoff summary available")),
    }
}

/// The id of a session that exists. A text that is no id is not looked up.
pub(crate) async fn known(storage: &Storage, named: Named) -> Result<SessionId, Failure> {
    Ok(stored(storage, named).await?.id)
}

/// A session that exists.
pub(crate) async fn stored(storage: &Storage, named: Named) -> Result<SessionInfo, Failure> {
    let Ok(Path(text)) = named else { return Err(unknown("")) };
    let id = SessionId::new(text).map_err(|_| unknown(""))?;
    let found = storage.store.sessions().get(&id).await.map_err(Error::from)?;
    found.ok_or_else(|| unknown(id.as_str()))
}

/// There is no such session. A text that is no id is not repeated.
pub(crate) fn unknown(id: &str) -> Failure {
    match id {
        "" => Failure::missing("there is no such session; /api/sessions lists them"),
        id => Failure::missing(format!("there is no session {id:?}; /api/sessions lists them")),
    }
}

/// The sessions with what each has cost. Those of other agents have the figures of their transcripts, as far as these were read.
pub(crate) async fn objects(app: &App, sessions: &[SessionSummary]) -> Result<Vec<Value>, Failure> {
    let storage = &app.storage;
    let costs = storage.session_costs(sessions, &table()?).await?;
    let ids: Vec<&str> = sessions.iter().map(|session| session.info.id.as_str()).collect();
    let owners = storage.owners_of(&ids).await?;
    let object = |(session, cost): (&SessionSummary, &SessionCost)| {
        let object = session_object(session, cost, owners.get(session.info.id.as_str()));
        json!(match app.mirrors.figures(session) {
            Some(figures) => object.with_figures(figures.requests, figures.dollars),
            None => object,
        })
    };
    Ok(sessions.iter().zip(&costs).map(object).collect())
}

/// The models with their prices.
pub(crate) fn table() -> Result<throughline_providers::models::ModelTable, Failure> {
    Ok(model_table().map_err(|error| Error::from(ConnectError::from(error)))?)
}
