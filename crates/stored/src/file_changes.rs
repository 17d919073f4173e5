//! The files that a turn changed, and restoring them.

mod together;
mod turn_files;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use throughline_agent::FILE_HISTORY;
use throughline_conversation::{ExchangeId, FileVersion, Record, ResultRef, SessionId};
use throughline_resultstore::StoredResult;
use throughline_text::error_chain;
use throughline_tools::{ExactFile, FileContent, unified_diff};

pub use turn_files::{FileSide, TurnFile, TurnFiles};

use crate::cut_off_calls::unknown_changes;
use crate::error::Result;
use crate::handle::SessionHandle;
use crate::session_id::now;

/// The name of a file for the user and the model: relative to the workspace of its session where it is inside, else its path.
#[must_use]
pub fn path_in(path: &Path, workspace: Option<&Path>) -> String {
    let inside = workspace.and_then(|folder| path.strip_prefix(folder).ok());
    inside.unwrap_or(path).display().to_string()
}

/// What restoring a file does, or did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRestore {
    /// The file's absolute path.
    pub path: PathBuf,
    /// The result.
    pub outcome: RestoreOutcome,
    /// The lines that restoring changes, for files that are text.
    pub diff: Option<String>,
}

/// The result of restoring a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RestoreOutcome {
    /// It has its earlier content again.
    Restored,
    /// It did not exist, and was removed.
    Removed,
    /// It has the wanted content already.
    Unchanged,
    /// Something else changed it since the turn, so it is left alone.
    ChangedSince,
    /// The content is not stored, for this reason.
    NotStored(String),
    /// It cannot be read or written, for this reason.
    Failed(String),
}

impl RestoreOutcome {
    /// Returns true if the file is changed by it.
    #[must_use]
    pub fn changes_file(&self) -> bool {
        matches!(self, Self::Restored | Self::Removed)
    }
}

impl FileRestore {
    /// The file with its outcome, for programs.
    #[must_use]
    pub fn object(&self) -> Value {
        let (outcome, why) = match &self.outcome {
            RestoreOutcome::Restored => ("restored", None),
            RestoreOutcome::Removed => ("removed", None),
            RestoreOutcome::Unchanged => ("unchanged", None),
            RestoreOutcome::ChangedSince => ("changed_since", None),
            RestoreOutcome::NotStored(why) => ("not_stored", Some(why)),
            RestoreOutcome::Failed(why) => ("failed", Some(why)),
        };
        json!({ "path": self.path, "outcome": outcome, "why": why })
    }
}

/// What becomes of the files.
#[derive(Debug, Clone, Copy)]
enum Restoring {
    /// Nothing: what would be done is shown.
    Shown,
    /// They are changed. Folders that were made since this time are removed with the last file in them.
    Done { since: Option<SystemTime> },
}

impl SessionHandle {
    /// The files that a turn changed.
    ///
    /// # Errors
    /// The log cannot be read.
    pub async fn file_changes(&self, turn: ExchangeId) -> Result<TurnFiles> {
        self.turn_files(&self.storage.records(&self.session).await?, turn).await
    }

    /// The same by the records of the whole log.
    ///
    /// # Errors
    /// The log of a sub-agent cannot be read.
    pub async fn turn_files(&self, records: &[Record], turn: ExchangeId) -> Result<TurnFiles> {
        self.files_of_turns(records, |other| other == turn).await
    }

    /// The files that these turns and their sub-agents with changes of their own changed, as if they were one turn.
    pub(crate) async fn files_of_turns(
        &self,
        records: &[Record],
        turns: impl Fn(ExchangeId) -> bool,
    ) -> Result<TurnFiles> {
        let own: Vec<&Record> = records.iter().filter(|record| turns(record.exchange)).collect();
        let mut unknown = unknown_changes(own.iter().copied());
        let mut waiting = self.storage.separate_agents(&self.session, &own).await?;
        let (mut agents, mut theirs) = (Vec::new(), Vec::new());
        while let Some(agent) = waiting.pop() {
            if agents.contains(&agent) {
                continue;
            }
            let records = self.storage.records(&agent).await?;
            let all: Vec<&Record> = records.iter().collect();
            unknown.extend(unknown_changes(all.iter().copied()));
            waiting.extend(self.storage.separate_agents(&agent, &all).await?);
            theirs.extend(records);
            agents.push(agent);
        }
        let mut all: Vec<&Record> = own.into_iter().chain(&theirs).collect();
        if !agents.is_empty() {
            all.sort_by_key(|record| record.at);
        }
        let mut files = TurnFiles { agents, ..TurnFiles::of(all) };
        for what in unknown {
            files.note_unrecorded(what);
        }
        Ok(files)
    }

    /// What [`restore_files`](Self::restore_files) would do, with diffs. Changes nothing.
    pub async fn preview_restore(&self, files: &TurnFiles, side: FileSide) -> Vec<FileRestore> {
        self.restore(files, side, Restoring::Shown).await
    }

    /// Restores the files of a turn to one side of it. A file that something else changed since is left alone. What a file
    /// had before it is overwritten is stored, so that restoring the other side brings it back.
    pub async fn restore_files(&self, files: &TurnFiles, side: FileSide) -> Vec<FileRestore> {
        let since = files.since.and_then(|since| u64::try_from(since.0).ok()).map(Duration::from_millis);
        let since = since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
        self.restore(files, side, Restoring::Done { since }).await
    }

    async fn restore(&self, all: &TurnFiles, side: FileSide, how: Restoring) -> Vec<FileRestore> {
        let mut restores = Vec::new();
        for file in &all.files {
            let restored = self.restore_file(file, side, &all.agents, how).await;
            let (outcome, diff) = restored.unwrap_or_else(|why| (RestoreOutcome::Failed(why), None));
            restores.push(FileRestore { path: file.path.clone(), outcome, diff });
        }
        restores
    }

    /// Returns the outcome, and the lines that change in a text.
    async fn restore_file(
        &self,
        file: &TurnFile,
        side: FileSide,
        agents: &[SessionId],
        how: Restoring,
    ) -> std::result::Result<(RestoreOutcome, Option<String>), String> {
        let text = |error: std::io::Error| error.to_string();
        let place = ExactFile::at(&file.path).map_err(text)?;
        let current = place.read().map_err(text)?;
        let wanted = file.side(side);
        if is(&current, wanted) {
            return Ok((RestoreOutcome::Unchanged, None));
        }
        let Some(known) = file.versions.iter().find(|version| is(&current, version)) else {
            return Ok((file.unknown_since(), None));
        };
        let bytes = match wanted {
            FileVersion::Unstored { why } => return Ok((RestoreOutcome::NotStored(why.clone()), None)),
            FileVersion::Missing => None,
            FileVersion::Content { stored, mode, .. } => match self.stored(stored, agents).await? {
                Some(bytes) => Some((bytes, *mode)),
                None => {
                    let why = "it was deleted from the store".to_owned();
                    return Ok((RestoreOutcome::NotStored(why), None));
                }
            },
        };
        let diff = diff_of(&current, bytes.as_ref().map_or(&[][..], |(bytes, _)| bytes));
        if let Restoring::Done { since } = how {
            self.store_overwritten(known, &current, agents).await?;
            match &bytes {
                Some((bytes, mode)) => place.write(bytes, *mode).map_err(text)?,
                None => place.remove(since).map_err(text)?,
            }
        }
        Ok((if bytes.is_some() { RestoreOutcome::Restored } else { RestoreOutcome::Removed }, diff))
    }

    /// The content of this name, of the session or of one of its sub-agents.
    async fn stored(
        &self,
        id: &ResultRef,
        agents: &[SessionId],
    ) -> std::result::Result<Option<Vec<u8>>, String> {
        for session in std::iter::once(&self.session).chain(agents) {
            let found = self.storage.results().get(session, id).await;
            if let Some(found) = found.map_err(|error| error_chain(&error))? {
                return Ok(Some(found.content));
            }
        }
        Ok(None)
    }

    /// Stores the content that is about to be overwritten, under the name that the log has for it.
    async fn store_overwritten(
        &self,
        version: &FileVersion,
        current: &FileContent,
        agents: &[SessionId],
    ) -> std::result::Result<(), String> {
        let (Some(id), FileContent::Read { bytes, .. }) = (version.stored(), current) else { return Ok(()) };
        // The name says whose it is.
        let owner = agents.iter().find(|agent| ResultRef::of(agent, bytes) == *id).unwrap_or(&self.session);
        let result = StoredResult {
            session: owner.clone(),
            id: id.clone(),
            tool: FILE_HISTORY.to_owned(),
            content: bytes.clone(),
            at: now(),
        };
        self.storage.results().put(&result).await.map_err(|error| error_chain(&error))
    }
}

/// Returns true if the content is this version.
pub(crate) fn is(content: &FileContent, version: &FileVersion) -> bool {
    match (content, version) {
        (FileContent::Missing, FileVersion::Missing) => true,
        (FileContent::Read { bytes, mode }, FileVersion::Content { hash, bytes: size, mode: of, .. }) => {
            *size == bytes.len() as u64 && mode == of && *hash == FileVersion::hash(bytes)
        }
        _ => false,
    }
}

fn diff_of(current: &FileContent, new: &[u8]) -> Option<String> {
    let old = match current {
        FileContent::Read { bytes, .. } => bytes.as_slice(),
        FileContent::Missing | FileContent::Unread(_) => &[],
    };
    Some(unified_diff(std::str::from_utf8(old).ok()?, std::str::from_utf8(new).ok()?))
}
