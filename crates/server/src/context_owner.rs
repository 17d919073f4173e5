//! Contexts belong to the user that opened them.

use throughline_contexts::CallError;
use throughline_continuity::{DirectoryError, SessionDirectory as _, SessionInfo};
use throughline_conversation::{Seq, SessionId};
use throughline_store::UserRights;
use throughline_stored::{Error, now};

use crate::answer::Failure;
use crate::app::App;
use crate::caller::Caller;

/// A context that a user may use.
#[derive(Debug)]
pub(crate) enum Admitted {
    /// It is there.
    Known,
    /// Its session was made for this operation.
    Made(SessionId),
    /// Its session had no owner before.
    Claimed(SessionId),
}

/// Refuses a context of another user, as one that is not open.
pub(crate) async fn check(app: &App, caller: &Caller, id: &str) -> Result<(), Failure> {
    // The operation refuses a text that cannot be an id.
    let Ok(session) = SessionId::new(id) else { return Ok(()) };
    if caller.rights == UserRights::Admin {
        return Ok(());
    }
    let owner = app.storage.store.session_owners().find(&session).await.map_err(Error::from)?;
    if owner.as_deref() == caller.owner() { Ok(()) } else { Err(unknown(&session)) }
}

/// Gives a context that is opened to its user, or refuses one of another user. A session that has no owner must be in the
/// user's folders, and not open: its user has no name, and is another one.
pub(crate) async fn claim(app: &App, caller: &Caller, id: &str, model: &str) -> Result<Admitted, Failure> {
    let (Ok(session), Some(user)) = (SessionId::new(id), caller.owner()) else { return Ok(Admitted::Known) };
    let (sessions, owners) = (app.storage.store.sessions(), app.storage.store.session_owners());
    let mut is_made = false;
    if sessions.get(&session).await.map_err(Error::from)?.is_none() {
        let workspace = app.turns.options().first_folder(&caller.scope)?.display().to_string();
        let (id, model) = (session.clone(), model.to_owned());
        let info = SessionInfo { id, title: String::new(), workspace, model, created: now() };
        is_made = match sessions.create(&info).await {
            Ok(()) => true,
            Err(DirectoryError::Exists(_)) => false,
            Err(error) => return Err(Error::from(error).into()),
        };
    }
    let is_free = owners.find(&session).await.map_err(Error::from)?.is_none();
    if is_free && !is_made {
        let info = sessions.get(&session).await.map_err(Error::from)?;
        let is_reached = info.is_some_and(|info| caller.scope.contains(&info.workspace));
        if !is_reached || app.contexts.is_open(id) {
            return Err(unknown(&session));
        }
    }
    let owner = owners.claim(&session, user).await.map_err(Error::from)?;
    match owner == user || caller.rights == UserRights::Admin {
        true if is_made => Ok(Admitted::Made(session)),
        true if is_free => Ok(Admitted::Claimed(session)),
        true => Ok(Admitted::Known),
        false => Err(unknown(&session)),
    }
}

impl Admitted {
    /// Removes a session that was made for a context that could not be opened, and takes a claim from one that had no owner.
    pub(crate) async fn withdraw(self, app: &App) {
        let session = match self {
            Self::Known => return,
            Self::Claimed(session) => {
                if let Err(error) = app.storage.store.session_owners().release(&session).await {
                    tracing::warn!(%session, %error, "a session has an owner who could not open it");
                }
                return;
            }
            Self::Made(session) => session,
        };
        let is_empty = app.storage.log().last(&session).await.is_ok_and(|last| last == Seq(0));
        if is_empty && let Err(error) = app.storage.store.sessions().remove(&session).await {
            tracing::warn!(%session, %error, "a session without records is left");
        }
    }
}

fn unknown(session: &SessionId) -> Failure {
    crate::contexts::failure(CallError::unknown_context(session))
}
