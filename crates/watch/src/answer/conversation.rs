//! The conversation that Claude Code compacts: what of it is new since the last compaction, or all of it.

use std::path::Path;

use throughline_continuity::SessionDirectory as _;
use throughline_conversation::{Message, SessionId};
use throughline_replay::{ClaudePlace, read_claude, read_claude_part};
use throughline_stored::{Attempt as _, Storage};

use super::{Mirrored, mirrored, transcript};
use crate::agent::ForeignAgent;
use crate::compactor::{CompactedTo, StoredView};
use crate::failure::{Result, WatchError};
use crate::hooks::HookPayload;
use crate::import::{ConversationEnd, Imported, StoredEnd, import_part, messages, messages_behind};
use crate::session_lock::COMPACTION;
use crate::sessions::unreadable;

/// A conversation that was read, and is stored if it is that of the session.
pub(super) struct ReadConversation {
    /// The session that has what leaves the view.
    pub(super) session: SessionId,
    /// The view that it continues. `None`: the messages are all of it.
    pub(super) before: Option<StoredView<'static>>,
    pub(super) messages: Vec<Message>,
    /// What the next compaction continues. `None`: it reads everything.
    pub(super) continued: Option<Continued>,
}

/// Where a conversation ends.
pub(super) struct Continued {
    pub(super) place: ClaudePlace,
    pub(super) end: ConversationEnd,
    pub(super) stored: Option<StoredEnd>,
}

/// Reads what is new since a compaction of this session, and stores it. `None`: the transcript does not continue what was
/// compacted.
///
/// # Errors
/// The transcript cannot be read, or the storage failed.
pub(super) async fn continued(
    path: &Path,
    session: &SessionId,
    to: &CompactedTo,
    storage: &Storage,
) -> Result<Option<ReadConversation>> {
    let Some(part) = read_claude_part(path, &to.place).attempt(|| unreadable(path))? else { return Ok(None) };
    let Some(new) = messages_behind(&to.end, &part.session) else { return Ok(None) };
    let session = to.session().unwrap_or(session).clone();
    let Some(before) = StoredView::load(storage, &session, &to.view).await? else { return Ok(None) };
    let mut stored = None;
    if let Some(end) = &to.stored {
        stored = import_part(storage, end, ForeignAgent::Claude.into(), to.end.model(), &new).await?;
        if stored.is_none() {
            return Ok(None);
        }
    }
    let end = to.end.clone().behind(&new);
    let continued = part.place.map(|place| Continued { place, end, stored });
    Ok(Some(ReadConversation { session, before: Some(before), messages: said(new), continued }))
}

/// Reads the whole conversation of a session, and stores it. What the user has removed of it is left out.
///
/// # Errors
/// The transcript cannot be read, the user has deleted the session, or the storage failed.
pub(super) async fn whole(payload: &HookPayload, storage: &Storage) -> Result<ReadConversation> {
    let Mirrored { agent, recorded, mut messages, place, end, session, removed, .. } =
        stored(payload, storage).await?;
    let continued = place.zip(ConversationEnd::of(agent.into(), &recorded, &messages)).zip(end);
    let continued = continued.map(|((place, end), stored)| Continued { place, end, stored: Some(stored) });
    messages.retain(|message| !removed.contains(&message.exchange()));
    Ok(ReadConversation { session, before: None, messages: said(messages), continued })
}

/// Reads the whole conversation of a subagent. What leaves its window is in the results of the session, so that has to be listed.
///
/// # Errors
/// As [`whole`].
pub(super) async fn whole_of_subagent(
    path: &Path,
    session: &SessionId,
    payload: &HookPayload,
    storage: &Storage,
) -> Result<ReadConversation> {
    let listed = storage.store.sessions().get(session).await.map_err(throughline_stored::Error::from)?;
    if listed.is_none() {
        stored(payload, storage).await?;
    }
    let read = read_claude(path)?;
    let messages = messages(ForeignAgent::Claude.into(), &read.session);
    let end = ConversationEnd::of(ForeignAgent::Claude.into(), &read.session, &messages);
    let continued = read.place.zip(end).map(|(place, end)| Continued { place, end, stored: None });
    Ok(ReadConversation { session: session.clone(), before: None, messages: said(messages), continued })
}

async fn stored(payload: &HookPayload, storage: &Storage) -> Result<Mirrored> {
    let missing = || WatchError::refused("the session is deleted, or has no transcript");
    let found = transcript(ForeignAgent::Claude, payload)?.ok_or_else(missing)?;
    mirrored(ForeignAgent::Claude, found, storage, COMPACTION).await?.ok_or_else(missing)
}

fn said(messages: Vec<Imported>) -> Vec<Message> {
    messages.into_iter().map(|imported| imported.message).collect()
}
