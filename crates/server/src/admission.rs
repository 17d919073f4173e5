//! Which routes and sessions are there for a user: one check in front of every handler.

use std::sync::Arc;

use axum::Extension;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::SessionId;
use throughline_store::UserRights;
use throughline_stored::Error;

use crate::answer::Failure;
use crate::app::App;
use crate::caller::Caller;
use crate::pages::failure_page;
use crate::route::Route;
use crate::sessions::unknown;
use crate::transcripts::unknown_transcript;

/// The parameters of a path, or why they cannot be read.
type Places = Result<RawPathParams, RawPathParamsRejection>;

/// What the paths about one transcript have.
const TRANSCRIPT: &str = "/transcripts/{transcript}";

/// What a route asks of its callers.
#[derive(Debug, Clone)]
pub(crate) struct Admission {
    pub(crate) app: App,
    rights: UserRights,
    path: Arc<str>,
    /// Its requests do more than read.
    changes: bool,
}

impl Admission {
    pub(crate) fn of(route: &Route, app: &App) -> Self {
        Self {
            app: app.clone(),
            rights: route.rights,
            path: Arc::from(&*route.path),
            changes: route.verb != "get",
        }
    }

    /// The session or context that a path names.
    pub(crate) fn session<'p>(&self, places: &'p Places) -> Option<&'p str> {
        let is_named = self.path.contains("/sessions/{id}") || self.path.contains("/contexts/{id}");
        let named = |(name, value): (&str, &'p str)| (name == "id").then_some(value);
        places.as_ref().ok().filter(|_| is_named)?.iter().find_map(named)
    }

    /// Fails if the server stops and the route is no reading one, the caller lacks the rights, or the session is in none of the caller's folders. Such a session is missing, as
    /// one that does not exist.
    async fn check(&self, caller: &Caller, places: &Places) -> Result<(), Failure> {
        if self.changes && *self.app.stopping.borrow() {
            return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the server is being stopped"));
        }
        if caller.rights < self.rights {
            let (own, needed) = (caller.rights.name(), self.rights.name());
            let why = format!("this needs a token with the rights `{needed}`; yours has `{own}`");
            return Err(Failure::new(StatusCode::FORBIDDEN, why));
        }
        if self.path.contains(TRANSCRIPT) && !caller.scope.is_all() {
            return self.check_transcript(caller, places).await;
        }
        // A context has an owner in place of a folder.
        if caller.scope.is_all() || !self.path.contains("/sessions/{id}") {
            return Ok(());
        }
        let id = self.session(places).and_then(|id| SessionId::new(id).ok()).ok_or_else(|| unknown(""))?;
        let info = self.app.storage.store.sessions().get(&id).await.map_err(Error::from)?;
        match info {
            Some(info) if caller.scope.contains(&info.workspace) => Ok(()),
            _ => Err(unknown(id.as_str())),
        }
    }
}

impl Admission {
    /// Fails if the transcript that a path names was made in none of the caller's folders.
    async fn check_transcript(&self, caller: &Caller, places: &Places) -> Result<(), Failure> {
        let named = |(name, value): (&str, &str)| (name == "transcript").then(|| value.to_owned());
        let key = places.as_ref().ok().and_then(|places| places.iter().find_map(named)).unwrap_or_default();
        match self.app.transcripts.find(&key, caller.scope.clone()).await? {
            Some(_) => Ok(()),
            None => Err(unknown_transcript(&key)),
        }
    }
}

/// Answers a request that its user may send.
pub(crate) async fn admitted(
    State(admission): State<Admission>,
    Extension(caller): Extension<Caller>,
    places: Places,
    request: Request,
    next: Next,
) -> Response {
    match admission.check(&caller, &places).await {
        Ok(()) => next.run(request).await,
        Err(failure) if admission.path.starts_with("/api") => failure.into_response(),
        Err(failure) => failure_page(failure),
    }
}
