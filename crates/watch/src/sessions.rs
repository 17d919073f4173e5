//! Sessions of other agents on this machine: finds, lists and stores them, by names such as `claude:12f1`.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use throughline_config::workspace;
use throughline_continuity::SessionSummary;
use throughline_conversation::{Millis, SessionId};
use throughline_replay::{RecordedSession, read_transcript};
use throughline_stored::{Attempt as _, Storage};

use crate::agent::{ForeignAgent, ForeignName, TranscriptOrigin};
use crate::failure::{Result, WatchError};
use crate::file_agent::named_folder;
use crate::head::{Beginning, folder_of};
use crate::import::{ImportCause, ImportedSession, import};
use crate::opencode_export::{ExportedSession, opencode_session};
use crate::transcripts::{Transcript, Transcripts};

/// Maximum number of sessions of a list.
const LISTED: usize = 20;

/// Maximum number of transcripts whose beginnings are read for a list.
const LOOKED_AT: usize = 500;

/// A session of another agent that was stored because it was named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSession {
    /// The session.
    pub session: SessionId,
    /// What the user should know of it; empty if nothing is new.
    pub notices: Vec<String>,
}

/// Stores the session of a name such as `claude:12f1`, or what is new of it. `None`: another kind of name.
///
/// # Errors
/// There is no such session, or it cannot be stored.
pub async fn store_named(storage: &Storage, name: &str) -> Result<Option<NamedSession>> {
    let Some(name) = ForeignName::parse(name) else { return Ok(None) };
    let agent = name.agent;
    let (recorded, folder) = if agent == ForeignAgent::OpenCode {
        let ExportedSession { recorded, folder, .. } = opencode_session(&name.id)?;
        (recorded, folder)
    } else {
        let transcript = transcripts()?.find(&name)?;
        (
            read_transcript(&transcript.path)?,
            folder_of(&transcript.path).attempt(|| unreadable(&transcript.path))?,
        )
    };
    let folder = session_folder(folder)?;
    Ok(Some(store_recorded(storage, agent.into(), &recorded, &folder).await?))
}

/// Stores the session of a file of any agent, or what is new of it. A file that names no folder is of the current one.
///
/// # Errors
/// The file is no recording that can be read, or cannot be stored.
pub async fn store_file(storage: &Storage, path: &Path) -> Result<NamedSession> {
    let mut recorded = read_transcript(path)?;
    let folder = session_folder(folder_of(path).attempt(|| unreadable(path))?)?;
    let origin = TranscriptOrigin::of(recorded.format);
    recorded.id = origin.usable_id(&recorded.id);
    store_recorded(storage, origin, &recorded, &folder).await
}

/// Stores a transcript because the user has named it.
async fn store_recorded(
    storage: &Storage,
    agent: TranscriptOrigin,
    recorded: &RecordedSession,
    folder: &Path,
) -> Result<NamedSession> {
    let imported = import(storage, agent, recorded, folder, ImportCause::Named).await?;
    let deleted = || WatchError::refused(format!("session {} of {agent} is deleted", recorded.id));
    let ImportedSession { session, added, left_out, was_deleted, .. } = imported.ok_or_else(deleted)?;
    let mut notices: Vec<String> = recorded.warnings.clone();
    if was_deleted {
        notices.push(format!("session {session} was deleted, and is stored again because it was asked for"));
    }
    if added > 0 {
        notices.push(format!("{added} messages of {agent} were stored in session {session}"));
    }
    if recorded.open_request.is_some() && left_out == 0 {
        notices
            .push(format!("the last request of session {session} was not answered by {agent}: it is open"));
    }
    if left_out > 0 {
        notices.push(format!(
            "{agent} has {left_out} newer messages, which are left out, because session {session} has continued here"
        ));
    }
    Ok(NamedSession { session, notices })
}

/// What is wrong with a transcript that cannot be read.
pub(crate) fn unreadable(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

/// The workspace of a session that is about this folder. `None`: it names none.
///
/// # Errors
/// The current folder is not known.
pub fn session_folder(folder: Option<PathBuf>) -> Result<PathBuf> {
    Ok(match folder {
        Some(folder) => folder.canonicalize().unwrap_or(folder),
        None => workspace(None)?,
    })
}

/// The newest sessions of all agents in this folder, or in any, with their titles; at least one.
///
/// # Errors
/// No session is found, or the folders cannot be read.
pub fn sessions_of_all(any_folder: bool) -> Result<Vec<(ForeignAgent, Transcript, String)>> {
    let folder = if any_folder { None } else { Some(workspace(None)?) };
    let mut rows = Vec::new();
    for agent in ForeignAgent::ALL.into_iter().filter(|agent| agent.has_files()) {
        let own = listed(agent, folder.as_deref())?;
        rows.extend(own.into_iter().map(|(transcript, title)| (agent, transcript, title)));
    }
    if rows.is_empty() {
        return Err(WatchError::refused(no_session("claude, codex, opencode or gemini", folder.as_deref())));
    }
    rows.sort_by_key(|(_, transcript, _)| std::cmp::Reverse(transcript.modified));
    rows.truncate(LISTED);
    Ok(rows)
}

fn no_session(of: &str, folder: Option<&Path>) -> String {
    let place = folder.map_or_else(|| "any folder".to_owned(), |folder| folder.display().to_string());
    format!("there is no session of {of} in {place}; --any-folder lists those of all folders")
}

/// The newest sessions of an agent in a folder, with their titles; at least one.
///
/// # Errors
/// No session is found, or the folders cannot be read.
pub fn sessions_of(
    agent: ForeignAgent,
    any_folder: bool,
    place: Option<&Path>,
) -> Result<Vec<(Transcript, String)>> {
    let folder = if any_folder { None } else { Some(workspace(place)?) };
    let rows = listed(agent, folder.as_deref())?;
    if rows.is_empty() {
        return Err(WatchError::refused(no_session(agent.name(), folder.as_deref())));
    }
    Ok(rows)
}

/// The newest sessions of an agent in a folder, with their titles.
fn listed(agent: ForeignAgent, folder: Option<&Path>) -> Result<Vec<(Transcript, String)>> {
    let mut rows = Vec::new();
    let Some(files) = agent.files() else { return Ok(rows) };
    let all = transcripts()?.list(files)?;
    for transcript in all.into_iter().filter(|one| !one.is_archived()).take(LOOKED_AT) {
        let Ok(beginning) = Beginning::of(&transcript.path) else { continue };
        if folder.is_some_and(|wanted| beginning.folder.as_deref() != Some(wanted)) {
            continue;
        }
        let title = beginning.title(&transcript.path);
        if !title.is_empty() {
            rows.push((transcript, title));
        }
        if rows.len() == LISTED {
            break;
        }
    }
    Ok(rows)
}

/// The session that a transcript was stored as last, of those in a list whose first was written last. A transcript that was rewound
/// is another session, with a number after its id.
#[must_use]
pub fn branch_of<'s>(
    stored: &'s [SessionSummary],
    agent: ForeignAgent,
    id: &str,
) -> Option<&'s SessionSummary> {
    let begin = format!("{agent}-{id}");
    let is_own = |id: &str| id.strip_prefix(&begin).is_some_and(|end| end.is_empty() || end.starts_with('-'));
    stored.iter().find(|session| is_own(session.info.id.as_str()))
}

/// When a transcript was written last.
#[must_use]
pub fn modified_at(transcript: &Transcript) -> Millis {
    let modified = transcript.modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis(i64::try_from(modified.as_millis()).unwrap_or(i64::MAX))
}

/// The folders in which the agents of this user have their sessions.
///
/// # Errors
/// `HOME` is not set.
pub fn transcripts() -> Result<Transcripts> {
    let unset = "the sessions of other agents are in the home folder, and HOME is not set";
    let home = named_folder("HOME").ok_or_else(|| WatchError::refused(unset))?;
    Ok(Transcripts::of_user(&home, &named_folder))
}
