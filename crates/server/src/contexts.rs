//! The paths of contexts: the table of operations over HTTP, for programs that own their loop.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Value, json};
use throughline_contexts::{
    CallError, CallOutput, ContextList, ErrorCode, KEY_ABOUT, OPERATIONS, OperationEffect, OperationEntry,
};
use throughline_conversation::SessionId;
use throughline_store::UserRights;

use crate::answer::{Failure, Given, body};
use crate::app::App;
use crate::caller::Caller;
use crate::context_owner;
use crate::owned_sessions::OwnedSessions;
use crate::route::{Header, Route, get, post};

/// Maximum bytes of a body: a list of messages with pictures is large.
const MAX_BODY: usize = 256 * 1024 * 1024;

/// The operation that makes or continues a context.
const OPEN: &str = "open";

/// A repeated request with the same value changes nothing, and gets the answer of the first one.
const KEY: Header = Header { name: "Idempotency-Key", about: KEY_ABOUT };

/// A route for each operation of a context, and the list of contexts.
pub(crate) fn routes() -> Vec<Route> {
    let listed = get("/api/contexts", list).summary("the open contexts of this server").one::<ContextList>();
    let operations = OPERATIONS.iter().filter(|entry| entry.of_context).map(route);
    std::iter::once(listed).chain(operations).collect()
}

/// The open contexts of the caller; of all users in the folders of the token for an administrator.
async fn list(State(app): State<App>, caller: Caller) -> Result<Json<ContextList>, Failure> {
    let mut list = app.contexts.list();
    if caller.rights == UserRights::Admin && !caller.scope.is_all() {
        let sessions = app.storage.names_in(&caller.scope).await?;
        let reached: BTreeSet<&str> = sessions.iter().map(|session| session.info.id.as_str()).collect();
        list.contexts.retain(|one| reached.contains(one.context.as_str()));
    }
    if caller.rights < UserRights::Admin {
        let open: Vec<&str> = list.contexts.iter().map(|one| one.context.as_str()).collect();
        let owners = app.storage.owners_of(&open).await?;
        list.contexts.retain(|one| owners.get(&one.context).map(String::as_str) == caller.owner());
    }
    Ok(Json(list))
}

fn route(entry: &'static OperationEntry) -> Route {
    let handler = move |State(app): State<App>,
                        caller: Caller,
                        id: Result<Path<String>, PathRejection>,
                        headers: HeaderMap,
                        given: Given| call(app, caller, entry.name, id, headers, given);
    let mut route = post(format!("/api/contexts/{{id}}/{}", entry.name), handler)
        .summary(entry.about().trim_end_matches('.').to_owned())
        .headers(&[KEY])
        .named(format!("context_{}", entry.name))
        .audited(entry.effect == OperationEffect::Changes)
        .errors::<CallError>();
    route.handler = route.handler.layer(DefaultBodyLimit::max(MAX_BODY));
    route.body_schema(entry.input).one_schema(entry.output)
}

async fn call(
    app: App,
    caller: Caller,
    operation: &'static str,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
    given: Given,
) -> Result<Response, Failure> {
    let Ok(Path(id)) = id else { return Err(Failure::missing("the id of the context is no text")) };
    let mut input = body(given)?;
    if let Some(fields) = input.as_object_mut() {
        if let Some(name) = ["context", "key"].into_iter().find(|name| fields.contains_key(*name)) {
            let why = format!(
                "the body takes no `{name}`: the context is in the path, the key in the header Idempotency-Key"
            );
            return Err(Failure::input(why));
        }
        fields.insert("context".to_owned(), json!(&id));
        if let Some(key) = headers.get(KEY.name) {
            let key = key.to_str().map_err(|_| Failure::input("the header Idempotency-Key is no text"))?;
            fields.insert("key".to_owned(), json!(key));
        }
    }
    let output = call_as(&app, &caller, operation, &id, input).await?;
    Ok(([(CONTENT_TYPE, "application/json")], Bytes::from_owner(output)).into_response())
}

/// Runs an operation in a context of the caller. One that is opened becomes the caller's.
async fn call_as(
    app: &App,
    caller: &Caller,
    operation: &'static str,
    id: &str,
    input: Value,
) -> Result<CallOutput, Failure> {
    if operation != OPEN {
        context_owner::check(app, caller, id).await?;
        return app.contexts.call_json(operation, input, Vec::new()).await.map_err(failure);
    }
    // A text that cannot be an id is refused by the operation. What the server's own token opens has no owner.
    let (Ok(session), Some(_)) = (SessionId::new(id), caller.owner()) else {
        return app.contexts.call_json(operation, input, Vec::new()).await.map_err(failure);
    };
    let folder = context_owner::admit(app, caller, &session).await?;
    let owned = |contexts| {
        Arc::new(OwnedSessions::new(contexts, app.storage.clone(), caller.clone(), folder)) as Arc<_>
    };
    let outcome = app.contexts.stored_by(owned).call_json(operation, input, Vec::new()).await;
    if outcome.as_ref().err().is_none_or(|error| error.code == ErrorCode::AlreadyOpen) {
        // Another user may have it open: one of the server's own token, or one that came between.
        context_owner::check(app, caller, id).await?;
    }
    outcome.map_err(failure)
}

pub(crate) fn failure(error: CallError) -> Failure {
    use ErrorCode as Code;
    let status = match error.code {
        Code::UnknownOperation | Code::UnknownContext => StatusCode::NOT_FOUND,
        Code::InvalidInput
        | Code::UnknownModel
        | Code::InvalidSettings
        | Code::InvalidAnswer
        | Code::InvalidMessage
        | Code::ProviderError
        | Code::UnknownTool => StatusCode::BAD_REQUEST,
        Code::Storage | Code::Unsaved => StatusCode::INTERNAL_SERVER_ERROR,
        Code::ModelFailed | Code::DoesNotFit | Code::InvalidRequest | Code::LimitReached => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        Code::AlreadyOpen
        | Code::Held
        | Code::KeyReused
        | Code::NoRequest
        | Code::OtherRequest
        | Code::RequestOpen
        | Code::CallsOpen
        | Code::UnknownCall
        | Code::UnknownSummary
        | Code::SummaryOpen
        | Code::NothingToAnswer
        | Code::WholeListNeeded
        | Code::NothingToGain
        | Code::Paused
        | Code::CompactionFailed
        | Code::Outdated
        | Code::NotPossible => StatusCode::CONFLICT,
    };
    Failure::new(status, error.message.clone()).with_code(error)
}
