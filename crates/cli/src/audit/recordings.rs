//! What an audit reads: files that were named, and the sessions of agents on this machine.

use std::path::{Path, PathBuf};

use anyhow::bail;
use throughline_commands::UsageError;
use throughline_replay::{RecordedSession, RecordingError, read_session};
use throughline_watch::{FileAgent, WatchError, opencode_newest, opencode_session, transcripts};

use super::args::AuditArgs;

/// A recorded session that is not read yet.
#[derive(Debug)]
pub(super) enum Recording {
    /// A file.
    File {
        path: PathBuf,
        /// The user has named it: an agent also stores sessions that were never used.
        named: bool,
    },
    /// A session of OpenCode, by its id.
    OpenCode(String),
}

impl Recording {
    /// The name for a person.
    pub(super) fn name(&self) -> String {
        match self {
            Self::File { path, .. } => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Self::OpenCode(id) => id.clone(),
        }
    }

    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::File { path, .. } => Some(path),
            Self::OpenCode(_) => None,
        }
    }

    /// Reads it. `None`: it was found on this machine, and nothing was ever said in it.
    pub(super) fn read(&self) -> anyhow::Result<Option<RecordedSession>> {
        match self {
            Self::File { path, named } => match read_session(path) {
                Err(error) if !named && is_unused(&error) => Ok(None),
                read => Ok(Some(read?)),
            },
            Self::OpenCode(id) => match opencode_session(id) {
                Err(WatchError::Recording(error)) if is_unused(&error) => Ok(None),
                read => Ok(Some(read?.recorded)),
            },
        }
    }
}

fn is_unused(error: &RecordingError) -> bool {
    matches!(error, RecordingError::NoConversation { .. } | RecordingError::Empty { .. })
}

/// The files that were named, and the newest sessions of each agent that was.
pub(super) fn recordings(args: &AuditArgs) -> anyhow::Result<Vec<Recording>> {
    let named = |path: &PathBuf| Recording::File { path: path.clone(), named: true };
    let mut found: Vec<Recording> = args.files.iter().map(named).collect();
    let newest = usize::try_from(args.newest).unwrap_or(usize::MAX);
    let wanted = [
        (args.claude, FileAgent::Claude),
        (args.codex, FileAgent::Codex),
        (args.copilot, FileAgent::Copilot),
        (args.gemini, FileAgent::Gemini),
        (args.pi, FileAgent::Pi),
    ];
    for (_, agent) in wanted.into_iter().filter(|(wanted, _)| *wanted) {
        let sessions = transcripts()?;
        let mut files = sessions.list(agent)?;
        files.truncate(newest);
        if files.is_empty() {
            bail!(UsageError(format!(
                "there is no session of {agent} on this machine; name its files instead"
            )));
        }
        for file in files {
            let subagents = if agent == FileAgent::Claude { sessions.subagents(&file) } else { Vec::new() };
            let files = std::iter::once(file).chain(subagents);
            found.extend(files.map(|file| Recording::File { path: file.path, named: false }));
        }
    }
    if args.opencode {
        let ids = opencode_newest(newest)?;
        if ids.is_empty() {
            bail!(UsageError("opencode has no session of this project".to_owned()));
        }
        found.extend(ids.into_iter().map(Recording::OpenCode));
    }
    Ok(found)
}
