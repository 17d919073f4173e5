//! Entering a session: its lock, and its entry in the list, which is made where it is new.

use throughline_continuity::{DirectoryError, SessionDirectory, SessionInfo};
use throughline_conversation::{Millis, SessionId};
use throughline_store::{LockError, SessionLock, lock_session};

use super::open::{Opening, TITLE};
use super::refusal::Busy;
use super::which::Start;
use crate::compose::{Data, new_session_id, now};
use crate::terminal::headline;

/// New ids that are tried. Each is another millisecond, so this many are never all taken by chance.
const TRIES: u32 = 1_000;

/// The session's entry in the list, made where it is new, and its lock.
pub(super) async fn enter(opening: &Opening<'_>) -> anyhow::Result<(SessionInfo, SessionLock)> {
    let data = opening.data;
    let fresh = |id: SessionId, title: String| SessionInfo {
        id,
        title,
        workspace: opening.workspace.display().to_string(),
        model: opening.connected.row.info.name.clone(),
        created: now(),
    };
    match &opening.start {
        Start::There(session) => {
            let named = opening.args.workspace.as_deref();
            let lock =
                lock_session(data.folder.root(), session).map_err(|error| Busy::of(error, data, named))?;
            let known = data.store.sessions().get(session).await?;
            let info = known.unwrap_or_else(|| fresh(session.clone(), headline(opening.title, TITLE)));
            data.create_session(&info).await?;
            Ok((info, lock))
        }
        Start::New => {
            let title = headline(opening.title, TITLE);
            make(data, None, (opening.word, now()), |id| fresh(id, title.clone())).await
        }
        Start::CopyOf(old) => {
            let title = data.store.sessions().get(old).await?.map(|info| info.title).unwrap_or_default();
            make(data, Some(old), (opening.word, now()), |id| fresh(id, title.clone())).await
        }
    }
}

/// Makes a session with an id that nobody has, empty or as a copy of another. Programs that begin in the same millisecond
/// want the same id: one gets it, and the others take the next that is free.
async fn make(
    data: &Data,
    old: Option<&SessionId>,
    (word, mut at): (&str, Millis),
    info: impl Fn(SessionId) -> SessionInfo,
) -> anyhow::Result<(SessionInfo, SessionLock)> {
    for _ in 1..TRIES {
        match try_make(data, old, &info(new_session_id(word, at)?)).await {
            Err(error) if is_taken(&error) => at = Millis(at.0.saturating_add(1)),
            made => return made,
        }
    }
    try_make(data, old, &info(new_session_id(word, at)?)).await
}

async fn try_make(
    data: &Data,
    old: Option<&SessionId>,
    info: &SessionInfo,
) -> anyhow::Result<(SessionInfo, SessionLock)> {
    let lock = lock_session(data.folder.root(), &info.id)?;
    match old {
        None => data.store.sessions().create(info).await?,
        Some(old) => data.store.fork(old, info).await?,
    }
    Ok((info.clone(), lock))
}

/// Whether somebody else has this id: works under it now, or has done so.
fn is_taken(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<LockError>(), Some(LockError::Held { .. }))
        || matches!(error.downcast_ref::<DirectoryError>(), Some(DirectoryError::Exists(_)))
}

#[cfg(test)]
mod tests;
