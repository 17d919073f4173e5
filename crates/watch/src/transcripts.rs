//! The session files of other agents.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use throughline_replay::read_session;
use throughline_text::cut_end;

use crate::agent::{ForeignAgent, ForeignName};
use crate::error::TranscriptError;
use crate::file_agent::{ARCHIVED, FileAgent, GEMINI_CHATS};
use crate::head::session_of_subagent;

/// What the names of subagents of Claude Code begin with, and the folder in which a session has them.
const SUBAGENT: &str = "agent-";
const SUBAGENTS: &str = "subagents";

/// Folders below that one: the workflows of the session, and each of them.
const LEVELS: usize = 2;

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

impl Transcript {
    /// Returns true if the user has put the session away.
    pub(crate) fn is_archived(&self) -> bool {
        self.path.iter().any(|folder| folder == ARCHIVED)
    }
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

    /// The sessions of an agent, also those that the user has put away, the one that was written last first. Without a folder there
    /// are none.
    ///
    /// # Errors
    /// [`TranscriptError::Unreadable`]: the folder of the agent cannot be read. One below it that cannot is left out.
    pub fn list(&self, agent: FileAgent) -> Result<Vec<Transcript>, TranscriptError> {
        let folder = self.folder(agent);
        let mut found = Vec::new();
        for folder in std::iter::once(folder.to_owned()).chain(agent.archive(folder)) {
            match fs::read_dir(&folder) {
                Ok(entries) => collect(entries, agent.depth(), &|path| agent.id_of(path), &mut found),
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(source) => return Err(TranscriptError::Unreadable { path: folder, source }),
            }
        }
        found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.id.cmp(&b.id)));
        Ok(found)
    }

    /// The subagents of a session of Claude Code or Gemini CLI, in the order of their names: their files are in a folder of the session,
    /// in earlier versions of Claude Code next to its own file.
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
        let own = sessions.flat_map(|session| files_of_subagents(&session.join(SUBAGENTS), LEVELS));
        projects.iter().flat_map(|project| files_of_subagents(project, 0)).chain(own).collect()
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
        if *agent == ForeignAgent::Gemini {
            begins = answered(begins);
        }
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

/// Of several files of one session those with an answer: Gemini CLI begins a second file when it resumes a session, and continues in
/// the first one.
fn answered(found: Vec<Transcript>) -> Vec<Transcript> {
    let count = |id: &str| found.iter().filter(|one| one.id == id).count();
    let has_answers = |one: &&Transcript| count(&one.id) == 1 || read_session(&one.path).is_ok();
    let answered: Vec<Transcript> = found.iter().filter(has_answers).cloned().collect();
    if answered.is_empty() { found } else { answered }
}

/// The subagents of a session of Claude Code or Gemini CLI, wherever its file is, in the order of their names.
#[must_use]
pub fn subagents_of(session: &Transcript) -> Vec<Transcript> {
    let Some(folder) = session.path.parent() else { return Vec::new() };
    let own = folder.join(&session.id);
    let mut found = files_of_subagents(&own.join(SUBAGENTS), LEVELS);
    let names_session = |one: &Transcript| session_of_subagent(&one.path).as_deref() == Some(&session.id);
    found.extend(files_of_subagents(folder, 0).into_iter().filter(names_session));
    if folder.ends_with(GEMINI_CHATS) {
        found.extend(files_in(&own, 0));
    }
    found.sort_by(|a, b| a.id.cmp(&b.id));
    found
}

/// The files of subagents of Claude Code in a folder, and in those below it.
fn files_of_subagents(folder: &Path, levels: usize) -> Vec<Transcript> {
    let mut found = files_in(folder, levels);
    found.retain(|one| one.id.starts_with(SUBAGENT));
    found
}

/// The files of a folder, and of those below it, that are named as a session.
fn files_in(folder: &Path, levels: usize) -> Vec<Transcript> {
    let id_of = |path: &Path| {
        let id = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
        is_plain_id(id).then(|| id.to_owned())
    };
    let mut found = Vec::new();
    if let Ok(entries) = fs::read_dir(folder) {
        collect(entries, levels, &id_of, &mut found);
    }
    found
}

/// The transcripts of a folder and of the folders up to `levels` levels below it, by the ids of their files. Links are
/// not followed.
fn collect(
    entries: fs::ReadDir,
    levels: usize,
    id_of: &dyn Fn(&Path) -> Option<String>,
    found: &mut Vec<Transcript>,
) {
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if let Some(levels) = levels.checked_sub(1).filter(|_| kind.is_dir()) {
            if let Ok(below) = fs::read_dir(entry.path()) {
                collect(below, levels, id_of, found);
            }
        } else if kind.is_file()
            && let Some(id) = id_of(&entry.path())
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
