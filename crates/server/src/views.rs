//! Views of a session's log, and lists over all sessions.

use axum::extract::State;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use throughline_conversation::SessionId;
use throughline_stored::{Search, turn_object};

use crate::answer::{Answer, Failure};
use crate::app::App;
use crate::caller::Caller;
use crate::inspector::{ContinuityState, agent_of, continuity_state, cost_causes};
use crate::page::Page;
use crate::params::Params;
use crate::requests::request_points;
use crate::sessions::{Named, NamedLog, known, summary, table};
use crate::transcripts::{TranscriptHit, TranscriptHits};

/// Maximum number of hits of a search.
pub(crate) const HITS: usize = 200;

/// The stored session of a watched agent.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct WatchedSession {
    agent: &'static str,
    session: String,
    title: String,
    workspace: String,
    last_activity_ms: i64,
    continuity: ContinuityState,
}

/// The turns, oldest first.
pub(crate) async fn groups(page: Page, named: NamedLog) -> Answer {
    named.answer(page, "groups", &named.log.groups(), turn_object)
}

/// The window by component, request by request.
pub(crate) async fn budget(page: Page, State(app): State<App>, named: NamedLog) -> Answer {
    let points = request_points(&app, &named.id, &named.log).await?;
    named.answer(page, "requests", &points, |one| json!(one))
}

/// The cost by cause.
pub(crate) async fn cost(page: Page, State(app): State<App>, named: NamedLog) -> Answer {
    let causes = match app.mirror(&named.id, &named.log).await? {
        Some(part) => part.causes(),
        None => cost_causes(&named.log.records, &table()?),
    };
    named.answer(page, "causes", &causes, |one| json!(one))
}

/// The summaries, oldest first.
pub(crate) async fn summaries(page: Page, State(app): State<App>, named: NamedLog) -> Answer {
    let all = named.log.summary_objects(app.handle(&named.id).counter.as_ref());
    named.answer(page, "summaries", &all, Value::clone)
}

/// The revisions of the documents, oldest first.
pub(crate) async fn documents(page: Page, named: NamedLog) -> Answer {
    named.answer(page, "revisions", &named.log.document_objects(), Value::clone)
}

/// The contexts that were stored for agents, oldest first.
pub(crate) async fn contexts(page: Page, State(app): State<App>, id: Named) -> Answer {
    let id = known(&app.storage, id).await?;
    let all = app.handle(&id).contexts().await?;
    page.answer("contexts", &all, |one| json!(one))
}

/// The state of a session's context.
pub(crate) async fn continuity(State(app): State<App>, id: Named) -> Answer {
    let id = known(&app.storage, id).await?;
    let session = summary(&app.storage, &id).await?;
    Ok(Json(json!(continuity_state(&app.handle(&id), &session).await?)))
}

/// The titles and messages that have every word of `q`.
pub(crate) async fn search(
    page: Page,
    State(app): State<App>,
    caller: Caller,
    Extension(params): Extension<Params>,
) -> Answer {
    let session = match params.text("session") {
        None => None,
        Some(id) => {
            let unknown = || Failure::missing("there is no such session; /api/sessions lists them");
            Some(SessionId::new(id.to_owned()).map_err(|_| unknown())?)
        }
    };
    let all = app.storage.search(&search_of(&params, session)?.within(caller.scope)).await?;
    page.answer("hits", &all, |one| json!(one))
}

/// The search for the words of `q`.
fn search_of(params: &Params, session: Option<SessionId>) -> Result<Search, Failure> {
    let words =
        params.text("q").ok_or_else(|| Failure::input("`q` is missing; it has the words to search for"))?;
    Ok(Search::new(words, session, HITS)?.for_whole_words(params.flag("whole")?))
}

/// A page of what a search in transcripts has found.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct TranscriptSearch {
    hits: Vec<TranscriptHit>,
    total: usize,
    offset: usize,
    next_offset: Option<usize>,
    /// Transcripts that were not searched, because there were hits enough or the time was up.
    unsearched: usize,
}

/// The messages of transcripts that have every word of `q`.
pub(crate) async fn search_transcripts(
    page: Page,
    State(app): State<App>,
    caller: Caller,
    Extension(params): Extension<Params>,
) -> Answer {
    let search = search_of(&params, None)?;
    let TranscriptHits { hits, unsearched } = app.transcripts.search(search, caller.scope).await?;
    let shown: Vec<Value> = page.of(&hits).iter().map(|hit| json!(hit)).collect();
    let mut object = page.object("hits", &shown, hits.len());
    if let Some(fields) = object.as_object_mut() {
        fields.insert("unsearched".to_owned(), unsearched.into());
    }
    Ok(Json(object))
}

/// The stored sessions of watched agents, newest activity first.
pub(crate) async fn agents(page: Page, State(app): State<App>, caller: Caller) -> Answer {
    let mut all = app.storage.names_in(&caller.scope).await?;
    all.retain(|session| agent_of(session.info.id.as_str()).is_some());
    let mut shown = Vec::new();
    for session in &app.storage.with_figures(page.of(&all)).await? {
        let state = continuity_state(&app.handle(&session.info.id), session).await?;
        shown.push(json!(WatchedSession {
            agent: state.agent.unwrap_or_default(),
            session: session.info.id.to_string(),
            title: session.info.title.clone(),
            workspace: session.info.workspace.clone(),
            last_activity_ms: session.last_activity.0,
            continuity: state,
        }));
    }
    Ok(Json(page.object("agents", &shown, all.len())))
}
