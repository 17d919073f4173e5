//! The log of what users change: an entry for each changing request, and its list.

use std::collections::BTreeSet;
use std::net::IpAddr;

use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::{HeaderMap, HeaderName};
use axum::middleware::Next;
use axum::response::Response;
use axum::{Extension, Json};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use throughline_conversation::{Millis, SessionId};
use throughline_store::{AuditEntry, SeaAuditLog};
use throughline_stored::{Error, now, past_time};
use throughline_text::{cut_end, error_chain};

use crate::admission::Admission;
use crate::answer::Answer;
use crate::app::App;
use crate::caller::Caller;
use crate::page::Page;
use crate::params::{NUL, Params};
use crate::route::{Param, ParamKind};

/// How old entries may be that are listed.
pub(crate) const SINCE: Param = Param {
    name: "since",
    kind: ParamKind::Text,
    about: "only entries since then: a span such as 7d or 12h, or a time such as 2026-11-28T00:00:00Z",
};

/// Where a proxy says which clients it answers.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Maximum bytes of a path in an entry.
const PATH: usize = 300;

/// How many entries are looked at in one read.
const AT_ONCE: u64 = 10_000;

/// The address of the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Remote(pub(crate) IpAddr);

/// The session that an answer has made.
#[derive(Debug, Clone)]
pub(crate) struct MadeSession(pub(crate) SessionId);

/// A changing request as an object.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AuditEntry")]
pub struct AuditObject {
    at_ms: i64,
    /// The user; `(server)`: the server's own token was shown.
    user: String,
    method: String,
    path: String,
    /// The session or context that the path names, or that was made.
    session: Option<String>,
    /// Null: the server ended before the answer.
    status: Option<u16>,
    /// The address of the other end of the connection.
    remote: String,
    /// The address of the client as a proxy has named it.
    forwarded: Option<String>,
}

impl From<AuditEntry> for AuditObject {
    fn from(entry: AuditEntry) -> Self {
        let AuditEntry { at, user, method, path, session, status, remote, forwarded } = entry;
        Self { at_ms: at.0, user, method, path, session, status, remote, forwarded }
    }
}

/// An entry that is written when its request is answered, or when it ends without an answer.
struct OpenEntry {
    log: SeaAuditLog,
    entry: Option<AuditEntry>,
}

impl OpenEntry {
    async fn answered(mut self, status: u16, made: Option<String>) {
        let Some(mut entry) = self.entry.take() else { return };
        entry.session = entry.session.or(made);
        entry.status = Some(status);
        write(&self.log, AuditEntry { at: now(), ..entry }).await;
    }
}

impl Drop for OpenEntry {
    fn drop(&mut self) {
        if let Some(entry) = self.entry.take() {
            let log = self.log.clone();
            tokio::spawn(async move { write(&log, AuditEntry { at: now(), ..entry }).await });
        }
    }
}

async fn write(log: &SeaAuditLog, entry: AuditEntry) {
    if let Err(error) = log.append(&entry).await {
        let AuditEntry { user, method, path, status, .. } = entry;
        tracing::error!(
            user,
            method,
            path,
            status,
            error = error_chain(&error),
            "a change is not in the audit log"
        );
    }
}

/// Answers a changing request and writes its entry.
pub(crate) async fn audited(
    State(admission): State<Admission>,
    Extension(caller): Extension<Caller>,
    places: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    next: Next,
) -> Response {
    let remote = request.extensions().get::<Remote>();
    let entry = AuditEntry {
        at: now(),
        user: caller.user.to_string(),
        method: request.method().to_string(),
        path: cut_end(request.uri().path(), PATH).to_owned(),
        // PostgreSQL takes no text with U+0000.
        session: admission.session(&places).map(|id| cut_end(id, PATH).replace(NUL, "\u{fffd}")),
        status: None,
        remote: remote.map(|remote| remote.0.to_string()).unwrap_or_default(),
        forwarded: forwarded(request.headers()),
    };
    let open = OpenEntry { log: admission.app.storage.store.audit_log(), entry: Some(entry) };
    let response = next.run(request).await;
    let made = response.extensions().get::<MadeSession>().map(|made| made.0.to_string());
    open.answered(response.status().as_u16(), made).await;
    response
}

/// The client of the nearest proxy: the last address of the header. Clients may write the ones before it.
fn forwarded(headers: &HeaderMap) -> Option<String> {
    let last = headers.get_all(FORWARDED).iter().next_back()?.to_str().ok()?;
    let address: IpAddr = last.rsplit(',').next()?.trim().parse().ok()?;
    Some(address.to_string())
}

/// The entries, the newest first; of a caller with a few folders, those of the sessions there.
pub(crate) async fn list(
    page: Page,
    State(app): State<App>,
    caller: Caller,
    Extension(params): Extension<Params>,
) -> Answer {
    let since = params.text(SINCE.name).map_or(Ok(Millis(0)), |text| past_time(text, now()))?;
    let log = app.storage.store.audit_log();
    if !caller.scope.is_all() {
        let entries = entries_of(&app, &caller, since).await?;
        return page.answer("entries", &entries, |entry| json!(AuditObject::from(entry.clone())));
    }
    let (limit, offset) = (page.limit() as u64, page.offset() as u64);
    let entries = log.list(since, limit, offset).await.map_err(Error::from)?;
    let total = log.count(since).await.map_err(Error::from)?;
    let shown: Vec<Value> = entries.into_iter().map(|entry| json!(AuditObject::from(entry))).collect();
    Ok(Json(page.object("entries", &shown, usize::try_from(total).unwrap_or(usize::MAX))))
}

/// The entries about the sessions in the folders of a caller.
async fn entries_of(app: &App, caller: &Caller, since: Millis) -> Result<Vec<AuditEntry>, Error> {
    let sessions = app.storage.names_in(&caller.scope).await?;
    let own: BTreeSet<&str> = sessions.iter().map(|session| session.info.id.as_str()).collect();
    let is_own = |entry: &AuditEntry| entry.session.as_deref().is_some_and(|id| own.contains(id));
    let log = app.storage.store.audit_log();
    let (mut found, mut read) = (Vec::new(), 0);
    loop {
        let entries = log.list(since, AT_ONCE, read).await?;
        let count = entries.len() as u64;
        found.extend(entries.into_iter().filter(is_own));
        read += count;
        if count < AT_ONCE {
            return Ok(found);
        }
    }
}
