//! The session files of other agents.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use throughline_text::cut_end;

use crate::agent::{ForeignAgent, ForeignName};
use crate::error::TranscriptError;
use crate::file_agent::FileAgent;
use crate::head::session_of_subagent;

/// What the names of subagents of Claude Code begin with, and the folder in which a session has them.
const SUBAGENT: &str = "agent-";
const SUBAGENTS: &str = "subagents";

/// Bytes of an id that an error repeats.
const ECHO: usize = 80;

/// A session file of another agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// The session's id.
    pub id: String,
    /// The file.
    pub path: PathBuf,
    /// When it was written last.
    pub modified: SystemTime,
}

/// Where other agents store their sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcripts {
    claude: PathBuf,
    codex: PathBuf,
    copilot: PathBuf,
    pi: PathBuf,
    gemini: PathBuf,
}

impl Transcripts {
    /// The folders of the user: those that the agents' own variables name, else those below the home folder.
    #[must_use]
    pub fn of_user(home: &Path, variable: &dyn Fn(&str) -> Option<PathBuf>) -> Self {
        let of = |agent: FileAgent| agent.folder(home, variable);
        Self {
            claude: of(FileAgent::Claude),
            codex: of(FileAgent::Codex),
            copilot: of(FileAgent::Copilot),
            pi: of(FileAgent::Pi),
            gemini: of(FileAgent::Gemini),
        }
    }

    /// The folder of an agent's transcripts.
    #[must_use]
    pub fn folder(&self, agent: FileAgent) -> &Path {
        match agent {
            FileAgent::Claude => &self.claude,
            FileAgent::Codex => &self.codex,
            FileAgent::Copilot => &self.copilot,
            FileAgent::Pi => &self.pi,
            FileAgent::Gemini => &self.gemini,
        }
    }

    /// The sessions of an agent, the one that was written last first. Without a folder there are none.
    ///
    /// # Errors
    /// [`TranscriptError::Unreadable`]: the folder of the agent cannot be read. One below it that cannot is left out.
    pub fn list(&self, agent: FileAgent) -> Result<Vec<Transcript>, TranscriptError> {
        let folder = self.folder(agent);
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(TranscriptError::Unreadable { path: folder.to_owned(), source }),
        };
        let mut found = Vec::new();
        collect(agent, entries, 0, &mut found);
        found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.id.cmp(&b.id)));
        Ok(found)
    }

    /// The subagents of a session of Claude Code, in the order of their names: their files are in a folder of the session, in
    /// earlier versions next to its own file.
    #[must_use]
    pub fn subagents(&self, session: &Transcript) -> Vec<Transcript> {
        subagents_of(session)
    }

    /// The files of all subagents of Claude Code.
    fn all_subagents(&self) -> Vec<Transcript> {
        let folders = |folder: &Path| -> Vec<PathBuf> {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            folders.map(|entry| entry.path()).collect()
        };
        let projects = folders(&self.claude);
        let sessions = projects.iter().flat_map(|project| folders(project));
        let own = sessions.map(|session| session.join(SUBAGENTS));
        projects.iter().cloned().chain(own).flat_map(|folder| files_of_subagents(&folder)).collect()
    }

    /// The session of this id, or the only one whose id begins so.
    ///
    /// # Errors
    /// [`TranscriptError`]: no session fits, or more than one.
    pub fn find(&self, name: &ForeignName) -> Result<Transcript, TranscriptError> {
        let ForeignName { agent, id } = name;
        let shown = || cut_end(id, ECHO).to_owned();
        let files = agent.files();
        let mut begins = files.map_or(Ok(Vec::new()), |files| self.list(files))?;
        if *agent == ForeignAgent::Claude && id.starts_with(SUBAGENT) {
            begins = self.all_subagents();
        }
        begins.retain(|one| !id.is_empty() && one.id.starts_with(id.as_str()));
        // A session that was moved to another project has a file in both; the newer one is first.
        begins.dedup_by(|later, first| later.id == first.id);
        if let Some(exact) = begins.iter().position(|one| one.id == *id) {
            return Ok(begins.swap_remove(exact));
        }
        match begins.len() {
            0 => {
                let folder = files.map_or(Path::new("its database"), |files| self.folder(files)).to_owned();
                Err(TranscriptError::Missing { agent: *agent, id: shown(), folder })
            }
            1 => Ok(begins.swap_remove(0)),
            _ => Err(TranscriptError::Several { agent: *agent, id: shown() }),
        }
    }
}

/// The subagents of a session of Claude Code, wherever its file is, in the order of their names.
#[must_use]
pub fn subagents_of(session: &Transcript) -> Vec<Transcript> {
    let Some(folder) = session.path.parent() else { return Vec::new() };
    let mut found = files_of_subagents(&folder.join(&session.id).join(SUBAGENTS));
    let names_session = |one: &Transcript| session_of_subagent(&one.path).as_deref() == Some(&session.id);
    found.extend(files_of_subagents(folder).into_iter().filter(names_session));
    found.sort_by(|a, b| a.id.cmp(&b.id));
    found
}

/// The files of subagents in a folder.
fn files_of_subagents(folder: &Path) -> Vec<Transcript> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.filter_map(|entry| {
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let path = entry.path();
        let id = path.file_name()?.to_str()?.strip_suffix(".jsonl")?.to_owned();
        let is_subagent = id.starts_with(SUBAGENT) && is_plain_id(&id);
        is_subagent.then_some(Transcript { id, path, modified: metadata.modified().ok()? })
    });
    found.collect()
}

/// The transcripts of a folder and of those below it. Links are not followed.
fn collect(agent: FileAgent, entries: fs::ReadDir, depth: usize, found: &mut Vec<Transcript>) {
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth < agent.depth() {
            if let Ok(below) = fs::read_dir(entry.path()) {
                collect(agent, below, depth + 1, found);
            }
        } else if kind.is_file()
            && let Some(id) = agent.id_of(&entry.path())
            && let Ok(modified) = entry.metadata().and_then(|metadata| metadata.modified())
        {
            found.push(Transcript { id, path: entry.path(), modified });
        }
    }
}

/// Returns true if a text is an id that agents give: letters, digits, `-` and `_`, and no option of a command line.
#[must_use]
pub fn is_plain_id(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    !text.is_empty() && !text.starts_with('-') && text.chars().all(plain)
}

#[cfg(test)]
mod tests;
