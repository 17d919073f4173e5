//! The tokens of users, for administrators.

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use throughline_store::{UserRights, UserToken};
use throughline_stored::{Error, now, scope_folder};
use throughline_text::{error_chain, read_span};

use crate::answer::{Answer, Failure, Given, typed};
use crate::app::App;
use crate::caller::Caller;
use crate::page::Page;

/// A token that is to be made.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct NewToken {
    /// The name of the user.
    user: String,
    /// `read`, `run` or `admin`.
    rights: String,
    /// The folders whose sessions it opens; none: all.
    folders: Option<Vec<String>>,
    /// A span such as 90d, after which it is refused.
    expires: Option<String>,
}

/// A token as an object, without its secret.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Token")]
pub struct TokenObject {
    id: String,
    user: String,
    rights: &'static str,
    /// Empty: all folders.
    folders: Vec<String>,
    created_ms: i64,
    expires_ms: Option<i64>,
    revoked_ms: Option<i64>,
    /// It is neither revoked nor expired.
    valid: bool,
}

/// A token that was made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MadeToken {
    /// The secret, which is shown this once.
    secret: String,
    token: TokenObject,
}

/// A token that was revoked.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Revoked {
    id: String,
}

impl From<&UserToken> for TokenObject {
    fn from(token: &UserToken) -> Self {
        Self {
            id: token.id.clone(),
            user: token.user.clone(),
            rights: token.rights.name(),
            folders: token.folders.iter().map(|folder| folder.display().to_string()).collect(),
            created_ms: token.created.0,
            expires_ms: token.expires.map(|at| at.0),
            revoked_ms: token.revoked.map(|at| at.0),
            valid: token.is_valid(now()),
        }
    }
}

/// The tokens that open no more than the caller's, the oldest first.
pub(crate) async fn list(page: Page, State(app): State<App>, caller: Caller) -> Answer {
    let mut all = app.storage.store.user_tokens().list().await.map_err(Error::from)?;
    all.retain(|token| caller.covers(&token.folders));
    page.answer("tokens", &all, |token| json!(TokenObject::from(token)))
}

/// Makes a token that opens no more than the caller's.
pub(crate) async fn make(State(app): State<App>, caller: Caller, given: Given) -> Answer<MadeToken> {
    let NewToken { user, rights, folders, expires } = typed(given)?;
    let rights = UserRights::named(&rights)
        .ok_or_else(|| Failure::input("`rights` must be `read`, `run` or `admin`"))?;
    let folders = folders.unwrap_or_default();
    let folders: Result<Vec<_>, Error> = folders.iter().map(|folder| scope_folder(folder.as_ref())).collect();
    let folders = folders?;
    if !caller.covers(&folders) {
        return Err(caller.refusal("`folders` must name folders that you may see, and nothing else"));
    }
    let lifetime = expires.map(|span| read_span(&span)).transpose();
    let lifetime = lifetime.map_err(|error| Failure::input(format!("`expires`: {error}")))?;
    let issued = UserToken::issue(&user, rights, folders, now(), lifetime);
    let (token, secret) = issued.map_err(|error| Failure::input(error_chain(&error)))?;
    app.storage.store.user_tokens().add(&token).await.map_err(Error::from)?;
    Ok(Json(MadeToken { secret, token: TokenObject::from(&token) }))
}

/// Revokes a token. Its next request is refused, and its streams of events end.
pub(crate) async fn revoke(
    State(app): State<App>,
    caller: Caller,
    id: Result<Path<String>, PathRejection>,
) -> Answer<Revoked> {
    let unknown = || Failure::missing("there is no such token, or it is revoked; /api/tokens lists them");
    let Ok(Path(id)) = id else { return Err(unknown()) };
    let tokens = app.storage.store.user_tokens();
    // By its id alone: a path that names a user would revoke several.
    let found = tokens.find(&id).await.map_err(Error::from)?;
    if !found.is_some_and(|token| token.revoked.is_none() && caller.covers(&token.folders)) {
        return Err(unknown());
    }
    tokens.revoke(&id, now()).await.map_err(Error::from)?;
    Ok(Json(Revoked { id }))
}
