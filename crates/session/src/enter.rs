//! Entering a session: its lock, and its entry in the list of sessions.

use throughline_continuity::{
    DirectoryError, LogError, SessionDirectory, SessionInfo, title_of, title_of_fork,
};
use throughline_conversation::{Millis, Seq, SessionId};
use throughline_store::{LockError, SessionLock};

use crate::options::SessionOptions;
use throughline_stored::{Error, Result};
use throughline_stored::{SessionStart, Storage};
use throughline_stored::{new_session_id, now};

/// New ids that are tried. Each is another millisecond, so this many are never all taken by chance.
const TRIES: u32 = 1_000;

/// Locks the session and lists it if it is new.
pub(crate) async fn enter(opening: &SessionOptions, model: &str) -> Result<(SessionInfo, SessionLock)> {
    let storage = &opening.storage;
    let fresh = |id: SessionId, title: String| SessionInfo {
        id,
        title,
        workspace: opening.workspace.display().to_string(),
        model: model.to_owned(),
        created: now(),
    };
    let new = NewSession { storage, id_prefix: opening.id_prefix, at: now() };
    match &opening.start {
        SessionStart::Existing(session) => {
            let lock = storage.lock(session).await.map_err(busy)?;
            match existing(storage, session).await {
                Ok(Some(info)) => Ok((info, lock)),
                // Its log is in a place of the caller's own.
                Ok(None) => {
                    let info = fresh(session.clone(), title_of(&opening.title));
                    storage.create_session(&info).await?;
                    Ok((info, lock))
                }
                Err(error) => {
                    lock.give_back().await;
                    Err(error)
                }
            }
        }
        SessionStart::New => {
            let title = title_of(&opening.title);
            new.create(None, |id| fresh(id, title.clone())).await
        }
        SessionStart::Fork(old) => {
            let sessions = storage.store.sessions();
            let (known, all) = (existing(storage, old).await?, sessions.list().await?);
            let is_taken = |title: &str| all.iter().any(|session| session.info.title == title);
            let title = known.map(|info| title_of_fork(&info.title, is_taken)).unwrap_or_default();
            new.create(Some(old), |id| fresh(id, title.clone())).await
        }
    }
}

/// The entry of a session that exists; `None`: the list has none, but the log has its records.
///
/// # Errors
/// [`Error::Missing`]: there is no such session.
async fn existing(storage: &Storage, session: &SessionId) -> Result<Option<SessionInfo>> {
    if let Some(known) = storage.store.sessions().get(session).await? {
        return Ok(Some(known));
    }
    match storage.log().last(session).await {
        Ok(Seq(0)) | Err(LogError::NoSession(_)) => {
            Err(Error::missing(format!("there is no session {session}")))
        }
        Ok(_) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn busy(error: LockError) -> Error {
    match &error {
        LockError::Held { session, .. } => Error::Busy { session: session.clone(), held: error },
        LockError::Unusable { .. } | LockError::Server(_) => Error::Lock(error),
    }
}

/// A session that does not exist yet.
struct NewSession<'a> {
    storage: &'a Storage,
    id_prefix: &'a str,
    at: Millis,
}

impl NewSession<'_> {
    /// Creates the session with an unused id, empty or as a copy of another. Programs that start in the same millisecond
    /// choose the same id: one gets it, and the others take the next free one.
    async fn create(
        mut self,
        old: Option<&SessionId>,
        info: impl Fn(SessionId) -> SessionInfo,
    ) -> Result<(SessionInfo, SessionLock)> {
        for _ in 1..TRIES {
            match self.try_create(old, &info(new_session_id(self.id_prefix, self.at)?)).await {
                Err(error) if is_taken(&error) => self.at = Millis(self.at.0.saturating_add(1)),
                created => return created,
            }
        }
        self.try_create(old, &info(new_session_id(self.id_prefix, self.at)?)).await
    }

    async fn try_create(
        &self,
        old: Option<&SessionId>,
        info: &SessionInfo,
    ) -> Result<(SessionInfo, SessionLock)> {
        // Its lock is not taken to find that out: the next turn of that session would be refused meanwhile.
        if self.storage.store.sessions().get(&info.id).await?.is_some() {
            return Err(DirectoryError::Exists(info.id.clone()).into());
        }
        let lock = self.storage.lock(&info.id).await?;
        let created = match old {
            None => self.storage.store.sessions().create(info).await.map_err(Error::from),
            Some(old) => self.storage.fork(old, info).await,
        };
        match created {
            Ok(()) => Ok((info.clone(), lock)),
            Err(error) => {
                lock.give_back().await;
                Err(error)
            }
        }
    }
}

/// Returns true if another session has this id, or is being created with it.
fn is_taken(error: &Error) -> bool {
    matches!(error, Error::Lock(LockError::Held { .. }) | Error::Sessions(DirectoryError::Exists(_)))
}

#[cfg(test)]
mod tests;
