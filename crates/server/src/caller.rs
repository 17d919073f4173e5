//! The user of a request, and what it may see and do.

use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use throughline_store::{UserRights, UserToken};
use throughline_stored::FolderScope;

use crate::answer::Failure;
use crate::app::App;

/// How the token of the server itself is named. No user can have this name.
const SERVER: &str = "(server)";

/// The user of a request.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    pub(crate) user: Arc<str>,
    /// The id of the token; `None`: that of the server itself.
    pub(crate) token: Option<Arc<str>>,
    pub(crate) rights: UserRights,
    /// The folders whose sessions are there for the user.
    pub(crate) scope: FolderScope,
}

impl Caller {
    /// The holder of the server's own token, who may do everything.
    pub(crate) fn server() -> Self {
        Self {
            user: Arc::from(SERVER),
            token: None,
            rights: UserRights::Admin,
            scope: FolderScope::default(),
        }
    }

    /// The holder of a user's token.
    pub(crate) fn of(token: UserToken) -> Self {
        Self {
            user: Arc::from(token.user),
            token: Some(Arc::from(token.id)),
            rights: token.rights,
            scope: FolderScope::new(token.folders),
        }
    }

    /// The name under which what the user makes is stored; `None`: the server's own token was shown.
    pub(crate) fn owner(&self) -> Option<&str> {
        self.token.as_ref().map(|_| &*self.user)
    }

    /// Returns true if a token of these folders, or of all if there are none, opens nothing that the caller's own does not.
    pub(crate) fn covers(&self, folders: &[PathBuf]) -> bool {
        let is_within = !folders.is_empty() && folders.iter().all(|folder| self.scope.contains(folder));
        self.scope.is_all() || is_within
    }

    /// Why something that is of all folders is refused to a caller with a few.
    pub(crate) fn refusal(&self, what: &str) -> Failure {
        let own: Vec<String> = self.scope.folders().iter().map(|own| own.display().to_string()).collect();
        Failure::new(StatusCode::FORBIDDEN, format!("{what}; your token opens {} alone", own.join(", ")))
    }

    /// Returns true if both are the same token.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.token == other.token
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Failure> {
        let missing = || Failure::new(StatusCode::UNAUTHORIZED, "the token is missing");
        parts.extensions.get::<Self>().cloned().ok_or_else(missing)
    }
}
