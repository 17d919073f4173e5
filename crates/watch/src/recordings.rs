//! Recorded sessions on this machine: files that a user names, and the newest ones of an agent.

use std::path::{Path, PathBuf};

use throughline_replay::{RecordedSession, RecordingError, read_session};

use crate::failure::{Result, WatchError};
use crate::file_agent::FileAgent;
use crate::opencode_export::{opencode_newest, opencode_session_with_subagents};
use crate::sessions::transcripts;

/// A recorded session that is not read yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recording {
    /// A file.
    File {
        /// Its path.
        path: PathBuf,
        /// The user has named it: an agent also stores sessions that were never used.
        named: bool,
    },
    /// A session of OpenCode, by its id.
    OpenCode(String),
}

impl Recording {
    /// A file that the user names.
    #[must_use]
    pub fn named(path: PathBuf) -> Self {
        Self::File { path, named: true }
    }

    /// The newest sessions of an agent, with those of their subagents.
    ///
    /// # Errors
    /// [`WatchError::Usage`] if no session is found.
    pub fn newest_of(agent: FileAgent, most: usize) -> Result<Vec<Self>> {
        let sessions = transcripts()?;
        let mut files = sessions.list(agent)?;
        files.truncate(most);
        if files.is_empty() {
            return Err(WatchError::Usage(format!(
                "there is no session of {agent} on this machine; name its files instead"
            )));
        }
        let mut found = Vec::new();
        for file in files {
            let subagents = sessions.subagents(&file);
            let files = std::iter::once(file).chain(subagents);
            found.extend(files.map(|file| Self::File { path: file.path, named: false }));
        }
        Ok(found)
    }

    /// The newest sessions of OpenCode in this project.
    ///
    /// # Errors
    /// [`WatchError::Usage`] if no session is found.
    pub fn newest_of_opencode(most: usize) -> Result<Vec<Self>> {
        let ids = opencode_newest(most)?;
        if ids.is_empty() {
            return Err(WatchError::Usage("opencode has no session of this project".to_owned()));
        }
        Ok(ids.into_iter().map(Self::OpenCode).collect())
    }

    /// The name for a person.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File { path, .. } => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Self::OpenCode(id) => id.clone(),
        }
    }

    /// The file, if it is one.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            Self::OpenCode(_) => None,
        }
    }

    /// Reads it. `None`: it was found on this machine, and nothing was ever said in it.
    ///
    /// # Errors
    /// It cannot be read, or is no recording.
    pub fn read(&self) -> Result<Option<RecordedSession>> {
        match self {
            Self::File { path, named } => match read_session(path) {
                Err(error) if !named && is_unused(&error) => Ok(None),
                read => Ok(Some(read?)),
            },
            Self::OpenCode(id) => match opencode_session_with_subagents(id) {
                Err(WatchError::Recording(error)) if is_unused(&error) => Ok(None),
                read => Ok(Some(read?)),
            },
        }
    }
}

fn is_unused(error: &RecordingError) -> bool {
    matches!(error, RecordingError::NoConversation { .. } | RecordingError::Empty { .. })
}
