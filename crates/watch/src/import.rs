//! Stores the transcript of another agent as a session.

mod append;
mod messages;
mod part;
mod stored;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use throughline_continuity::{SessionDirectory as _, SessionInfo, is_title_of, title_of};
use throughline_conversation::{ExchangeId, GroupStatus, Record, SessionId, Source};
use throughline_replay::RecordedSession;
use throughline_stored::{Attempt as _, DeletedSessions, Error, Result, Storage, now};

use append::{MessageRecords, SessionEnd, mark_records};
pub(crate) use messages::{ConversationEnd, Imported, messages, messages_behind};
pub(crate) use part::{StoredEnd, import_part};
use stored::{Fit, StoredTranscript, is_mirror};

use crate::agent::TranscriptOrigin;
use crate::head::first_request;
use crate::session_lock::{HOOK, lock_within};

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
    /// The exchanges whose content the user has removed.
    pub(crate) removed: BTreeSet<ExchangeId>,
}

/// Why a transcript is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportCause {
    /// The user asks for it by its name. It is stored again if the user has deleted its session, and what is newer than a session
    /// that has continued in Throughline is left out.
    Named,
    /// Its agent works on it. A deleted one stays deleted, and one whose session has continued in Throughline becomes
    /// another session.
    Watched,
}

/// A transcript that is stored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImportedTranscript<'t> {
    pub(crate) origin: TranscriptOrigin,
    pub(crate) recorded: &'t RecordedSession,
    pub(crate) messages: &'t [Imported],
    pub(crate) workspace: &'t Path,
    pub(crate) cause: ImportCause,
    /// How long to wait for another process that has the session.
    pub(crate) patience: Duration,
}

/// Outcome of looking for the branch of a transcript.
enum Branch {
    Stored(ImportedSession),
    /// Nothing is stored: the user has deleted these sessions of it.
    Deleted(Vec<SessionId>),
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
    cause: ImportCause,
) -> Result<Option<ImportedSession>> {
    let messages = &messages(origin, recorded);
    let transcript = ImportedTranscript { origin, recorded, messages, workspace, cause, patience: HOOK };
    import_messages(storage, transcript).await
}

/// The same of a transcript whose messages are made already.
///
/// # Errors
/// As [`import`].
pub(crate) async fn import_messages(
    storage: &Storage,
    transcript: ImportedTranscript<'_>,
) -> Result<Option<ImportedSession>> {
    let marks = DeletedSessions::in_folder(storage.folder.root());
    let importer = Importer { storage, transcript };
    let marked = match importer.import_branch(&marks).await? {
        Branch::Stored(imported) => return Ok(Some(imported)),
        Branch::Deleted(_) if transcript.cause == ImportCause::Watched => return Ok(None),
        Branch::Deleted(marked) => marked,
    };
    marks.clear(&marked)?;
    match importer.import_branch(&marks).await? {
        Branch::Stored(imported) => Ok(Some(ImportedSession { was_deleted: true, ..imported })),
        Branch::Deleted(_) => Err(Error::usage(format!(
            "session {} of {} was deleted by another process while it was stored again",
            transcript.recorded.id, transcript.origin
        ))),
    }
}

/// Where a transcript is stored.
struct Importer<'t> {
    storage: &'t Storage,
    transcript: ImportedTranscript<'t>,
}

impl Importer<'_> {
    /// Finds the branch that a transcript continues, or a new one, and stores there what is new.
    async fn import_branch(&self, marks: &DeletedSessions) -> Result<Branch> {
        let ImportedTranscript { origin, recorded, messages, patience, .. } = self.transcript;
        let (mut marked, mut hidden) = (Vec::new(), BTreeMap::new());
        for branch in 1..=BRANCHES {
            let end = if branch == 1 { String::new() } else { format!("-{branch}") };
            let session = origin.session_id(&format!("{}{end}", recorded.id));
            let session = session.attempt(|| "the transcript has an unusable id".to_owned())?;
            let lock = lock_within(self.storage, &session, patience).await?;
            let records = self.storage.records(&session).await?;
            if records.is_empty() {
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
                return Ok(Branch::Stored(self.store_new(&session, hidden).await?));
            }
            let stored = StoredTranscript::of(&records);
            let have = stored.messages().len();
            let fit = match stored.fit(&session, messages) {
                // A log that is elsewhere is only appended to.
                Fit::Completed(at) if self.storage.has_ports() => Fit::Other(at),
                fit => fit,
            };
            let is_left_out = stored.has_own() && messages.len() > have;
            match fit {
                Fit::Other(at) => hidden.extend(stored.hidden_before(at)),
                Fit::Continued if is_left_out && self.transcript.cause == ImportCause::Watched => {
                    hidden.extend(stored.hidden_before(have));
                }
                Fit::Continued if stored.has_own() => {
                    let left_out = messages.len().saturating_sub(have);
                    return Ok(Branch::Stored(ImportedSession { left_out, ..nothing_new(session, &stored) }));
                }
                fit => return Ok(Branch::Stored(self.store_more(&session, &records, &stored, fit).await?)),
            }
        }
        Err(Error::usage(format!(
            "session {} of {origin} was rewound too often to be stored again",
            recorded.id
        )))
    }

    /// Stores the transcript as a new session. What the user has hidden or removed of an earlier branch is so in this one.
    async fn store_new(
        &self,
        session: &SessionId,
        hidden: BTreeMap<ExchangeId, GroupStatus>,
    ) -> Result<ImportedSession> {
        let ImportedTranscript { origin, messages, .. } = self.transcript;
        let is_removed = |(_, status): &(&ExchangeId, &GroupStatus)| **status == GroupStatus::Removed;
        let removed: BTreeSet<ExchangeId> =
            hidden.iter().filter(is_removed).map(|(exchange, _)| *exchange).collect();
        // A hook may have listed it before its transcript had a request, so it gets the title now.
        let info = self.info(session, &removed);
        self.storage.create_session(&info).await?;
        self.storage.store.sessions().rename(&info.id, &info.title).await?;
        let mut made = MessageRecords::behind(&[], self.storage, session, origin, &removed);
        let mut records = made.behind_end(SessionEnd::of(&[]), messages).await?;
        let hidden: Vec<(ExchangeId, GroupStatus)> = hidden.into_iter().collect();
        records.extend(mark_records(SessionEnd::of(&records).seq, &hidden));
        self.storage.log().append(session, &records).await?;
        let end = end_of_mirror(session, &records);
        Ok(ImportedSession {
            session: session.clone(),
            added: messages.len(),
            left_out: 0,
            was_deleted: false,
            end,
            removed,
        })
    }

    /// Adds what is new to a session, and completes what was still written when it was stored.
    async fn store_more(
        &self,
        session: &SessionId,
        records: &[Record],
        stored: &StoredTranscript<'_>,
        fit: Fit,
    ) -> Result<ImportedSession> {
        let ImportedTranscript { origin, messages, .. } = self.transcript;
        let removed = stored.removed();
        // The list may have been lost.
        let info = self.info(session, &removed);
        self.storage.create_session(&info).await?;
        self.take_given_title(&info).await?;
        let have = stored.messages().len();
        let first = if let Fit::Completed(at) = fit { at } else { have };
        let (before, changed) = messages.split_at(first.min(messages.len()));
        let known = stored.messages().get(first..).unwrap_or_default();
        let mut made = MessageRecords::behind(before, self.storage, session, origin, &removed);
        let replaced = made.in_place_of(records, known, changed).await?;
        let new = changed.get(known.len()..).unwrap_or_default();
        let appended = made.behind_end(SessionEnd::of(records), new).await?;
        if replaced.is_empty() {
            self.storage.log().append(session, &appended).await?;
        } else {
            self.storage.store.message_log().replace(session, &replaced, &appended).await?;
        }
        let end = match (appended.last(), replaced.last()) {
            _ if !is_mirror(records) => None,
            (Some(last), _) => Some(StoredEnd::of(session, last)),
            // The newest record may be one of those that were replaced.
            (None, Some(last)) if records.last().is_some_and(|record| record.seq == last.seq) => {
                Some(StoredEnd::of(session, last))
            }
            (None, _) => records.last().map(|last| StoredEnd::of(session, last)),
        };
        let added = messages.len().saturating_sub(have);
        Ok(ImportedSession { added, end, ..nothing_new(session.clone(), stored) })
    }

    /// Gives the session the name that its user has given it in the agent, unless it has another name here.
    async fn take_given_title(&self, info: &SessionInfo) -> Result<()> {
        let recorded = self.transcript.recorded;
        if recorded.title.is_none() {
            return Ok(());
        }
        let sessions = self.storage.store.sessions();
        let listed = sessions.get(&info.id).await?;
        let is_request = |title: &str| is_title_of(title, &first_request(recorded).unwrap_or_default());
        if listed.is_some_and(|listed| listed.title != info.title && is_request(&listed.title)) {
            sessions.rename(&info.id, &info.title).await?;
        }
        Ok(())
    }

    /// What the list of sessions says of the transcript.
    fn info(&self, session: &SessionId, removed: &BTreeSet<ExchangeId>) -> SessionInfo {
        let ImportedTranscript { recorded, messages, workspace, .. } = self.transcript;
        let is_left =
            |imported: &&Imported| imported.source == Source::User && !removed.contains(&imported.exchange);
        let request = match removed.is_empty() {
            true => first_request(recorded).unwrap_or_default().into_owned(),
            false => {
                messages.iter().find(is_left).map(|imported| imported.message.text()).unwrap_or_default()
            }
        };
        SessionInfo {
            id: session.clone(),
            title: title_of(recorded.title.as_deref().unwrap_or(&request)),
            workspace: workspace.display().to_string(),
            model: recorded.model.clone().unwrap_or_default(),
            created: messages.first().map_or_else(now, |message| message.at),
        }
    }
}

/// The outcome where nothing was added.
fn nothing_new(session: SessionId, stored: &StoredTranscript<'_>) -> ImportedSession {
    ImportedSession {
        session,
        added: 0,
        left_out: 0,
        was_deleted: false,
        end: None,
        removed: stored.removed(),
    }
}

/// Where a session ends that has a transcript and nothing else.
fn end_of_mirror(session: &SessionId, records: &[Record]) -> Option<StoredEnd> {
    records.last().filter(|_| is_mirror(records)).map(|last| StoredEnd::of(session, last))
}
