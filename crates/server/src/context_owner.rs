//! Contexts belong to the user that opened them.

use std::path::PathBuf;

use throughline_contexts::CallError;
use throughline_continuity::SessionDirectory as _;
use throughline_conversation::SessionId;
use throughline_store::UserRights;
use throughline_stored::Error;

use crate::answer::Failure;
use crate::app::App;
use crate::caller::Caller;

/// Refuses a context of another user, as one that is not open. An administrator may use those in the folders of the token.
pub(crate) async fn check(app: &App, caller: &Caller, id: &str) -> Result<(), Failure> {
    // The operation refuses a text that cannot be an id.
    let Ok(session) = SessionId::new(id) else { return Ok(()) };
    if caller.rights < UserRights::Admin {
        let owner = app.storage.store.session_owners().find(&session).await.map_err(Error::from)?;
        return if owner.as_deref() == caller.owner() { Ok(()) } else { Err(unknown(&session)) };
    }
    if caller.scope.is_all() {
        return Ok(());
    }
    let info = app.storage.store.sessions().get(&session).await.map_err(Error::from)?;
    let is_reached = info.is_some_and(|info| caller.scope.contains(&info.workspace));
    if is_reached { Ok(()) } else { Err(unknown(&session)) }
}

/// Refuses to open a context that is not the user's, as one that is not open. A session that has no owner must be in the user's
/// folders. Returns the folder of a session that begins.
///
/// What is refused here is decided again, under the lock of the session, by [`OwnedSessions`](crate::owned_sessions::OwnedSessions).
pub(crate) async fn admit(app: &App, caller: &Caller, session: &SessionId) -> Result<PathBuf, Failure> {
    let folder = app.turns.options().first_folder(&caller.scope);
    let info = app.storage.store.sessions().get(session).await.map_err(Error::from)?;
    let Some(info) = info else { return folder };
    let owner = app.storage.store.session_owners().find(session).await.map_err(Error::from)?;
    if may_open(caller, owner.as_deref(), &info.workspace) {
        Ok(folder.unwrap_or_default())
    } else {
        Err(unknown(session))
    }
}

/// Returns true if a user may open a stored session as a context.
pub(crate) fn may_open(caller: &Caller, owner: Option<&str>, folder: &str) -> bool {
    match owner {
        Some(_) if caller.rights < UserRights::Admin => owner == caller.owner(),
        _ => caller.scope.contains(folder),
    }
}

pub(crate) fn unknown(session: &SessionId) -> Failure {
    crate::contexts::failure(CallError::unknown_context(session))
}
