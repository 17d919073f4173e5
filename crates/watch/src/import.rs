//! Stores the transcript of another agent as a session.

mod append;
mod messages;
mod part;
mod preserved;
mod stored;

use std::path::Path;

use throughline_continuity::{SessionDirectory as _, SessionInfo, title_of};
use throughline_conversation::SessionId;
use throughline_replay::RecordedSession;
use throughline_stored::{Attempt as _, DeletedSessions, Error, Result, Storage, now};

use append::{SessionEnd, append};
pub(crate) use messages::{ConversationEnd, Imported, messages, messages_behind};
pub(crate) use part::{StoredEnd, import_part};
use preserved::Preserved;
use stored::{first_difference, first_own, is_mirror, known, last_step};

use crate::agent::TranscriptOrigin;
use crate::head::first_request;

/// Branches of one transcript that are stored as sessions.
const BRANCHES: u32 = 100;

/// Outcome of storing a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedSession {
    /// The session.
    pub session: SessionId,
    /// Messages that were added now.
    pub added: usize,
    /// Messages of the transcript that are newer than the session and were not added, because the session has continued in
    /// Throughline.
    pub left_out: usize,
    /// The user had deleted the session, and it is stored again.
    pub was_deleted: bool,
    /// Where the session ends, if it has all of the transcript and nothing else.
    pub(crate) end: Option<StoredEnd>,
}

/// What becomes of a transcript whose session the user has deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeletedTranscript {
    /// It is stored again, because the user asks for it by its name.
    StoreAgain,
    /// It stays deleted.
    LeaveOut,
}

/// Outcome of looking for the branch of a transcript.
enum Branch {
    Stored(ImportedSession),
    /// Nothing is stored: the user has deleted these sessions of it.
    Deleted(Vec<SessionId>),
}

impl Branch {
    fn stored(session: SessionId, added: usize, left_out: usize, end: Option<StoredEnd>) -> Self {
        Self::Stored(ImportedSession { session, added, left_out, was_deleted: false, end })
    }
}

/// Stores the transcript of another agent as a session, or adds what is new to the session that it was stored as. Large
/// results are stored outside the messages. A transcript whose past has changed becomes another session. `None`: the user
/// has deleted the session, and it is left out.
///
/// # Errors
/// Its id cannot be one, another process has the session open, or the storage failed.
pub async fn import(
    storage: &Storage,
    origin: TranscriptOrigin,
    recorded: &RecordedSession,
    workspace: &Path,
    deleted: DeletedTranscript,
) -> Result<Option<ImportedSession>> {
    import_messages(storage, origin, recorded, &messages(origin, recorded), workspace, deleted).await
}

/// The same of a transcript whose messages are made already.
///
/// # Errors
/// As [`import`].
pub(crate) async fn import_messages(
    storage: &Storage,
    origin: TranscriptOrigin,
    recorded: &RecordedSession,
    messages: &[Imported],
    workspace: &Path,
    deleted: DeletedTranscript,
) -> Result<Option<ImportedSession>> {
    let marks = DeletedSessions::in_folder(storage.folder.root());
    let importer = Importer { storage };
    let first = importer.import_branch(origin, recorded, workspace, messages, &marks).await?;
    let marked = match first {
        Branch::Stored(imported) => return Ok(Some(imported)),
        Branch::Deleted(_) if deleted == DeletedTranscript::LeaveOut => return Ok(None),
        Branch::Deleted(marked) => marked,
    };
    marks.clear(&marked)?;
    match importer.import_branch(origin, recorded, workspace, messages, &marks).await? {
        Branch::Stored(imported) => Ok(Some(ImportedSession { was_deleted: true, ..imported })),
        Branch::Deleted(_) => Err(Error::usage(format!(
            "session {} of {origin} was deleted by another process while it was stored again",
            recorded.id
        ))),
    }
}

/// Where transcripts are stored.
struct Importer<'s> {
    storage: &'s Storage,
}

impl Importer<'_> {
    /// Finds the branch that a transcript continues, or a new one, and stores there what is new.
    async fn import_branch(
        &self,
        origin: TranscriptOrigin,
        recorded: &RecordedSession,
        workspace: &Path,
        messages: &[Imported],
        marks: &DeletedSessions,
    ) -> Result<Branch> {
        let mut marked = Vec::new();
        for branch in 1..=BRANCHES {
            let end = if branch == 1 { String::new() } else { format!("-{branch}") };
            let session = origin.session_id(&format!("{}{end}", recorded.id));
            let session = session.attempt(|| "the transcript has an unusable id".to_owned())?;
            let lock = self.storage.lock(&session).await?;
            let stored = self.storage.records(&session).await?;
            if stored.is_empty() {
                let is_marked = marks.contains(&session)?;
                if is_marked || !marked.is_empty() {
                    lock.remove().attempt(|| format!("the lock file of {session} stays"))?;
                }
                if is_marked {
                    marked.push(session);
                    continue;
                } else if !marked.is_empty() {
                    return Ok(Branch::Deleted(marked));
                }
            }
            let own = first_own(&stored);
            let known = known(&stored, own);
            let (mut have, mut preserved) = (known.len(), Preserved::default());
            if let Some(at) = first_difference(&session, messages, &known) {
                if !is_mirror(&stored) || at < last_step(&known) {
                    continue;
                }
                // What was stored last was not complete yet.
                preserved = self.remove_incomplete(&session, &stored, at).await?;
                have = 0;
            }
            let new = messages.get(have..).unwrap_or_default();
            if own.is_some() {
                return Ok(Branch::stored(session, 0, new.len(), None));
            }
            self.list_imported(&info(&session, recorded, workspace, messages), stored.is_empty()).await?;
            self.store_preserved(&session, &preserved).await?;
            let end = SessionEnd::of(&session, if have > 0 { &stored } else { &[] });
            let newest = append(self.storage, end, origin, new).await?;
            let end = newest
                .or_else(|| stored.last().map(|last| StoredEnd::of(&session, last)))
                .filter(|_| is_mirror(&stored));
            return Ok(Branch::stored(session, messages.len().saturating_sub(known.len()), 0, end));
        }
        Err(Error::usage(format!(
            "session {} of {origin} was rewound too often to be stored again",
            recorded.id
        )))
    }

    /// Lists a session. A hook may have listed it before its transcript had a request, so a new one gets the title.
    async fn list_imported(&self, info: &SessionInfo, is_new: bool) -> Result<()> {
        self.storage.create_session(info).await?;
        if is_new {
            self.storage.store.sessions().rename(&info.id, &info.title).await?;
        }
        Ok(())
    }
}

/// What the list of sessions says of a transcript.
fn info(
    session: &SessionId,
    recorded: &RecordedSession,
    workspace: &Path,
    messages: &[Imported],
) -> SessionInfo {
    SessionInfo {
        id: session.clone(),
        title: title_of(first_request(recorded).unwrap_or_default()),
        workspace: workspace.display().to_string(),
        model: recorded.model.clone().unwrap_or_default(),
        created: messages.first().map_or_else(now, |message| message.at),
    }
}
