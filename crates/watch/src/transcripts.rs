//! The session files of other agents.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use throughline_text::cut_end;

use crate::agent::{ForeignAgent, ForeignName};
use crate::error::TranscriptError;

/// Folders below that of an agent in which files are looked for: Codex has one for each year, month and day.
const DEPTH: usize = 3;

/// Bytes of an id that an error repeats.
const ECHO: usize = 80;

/// Characters of a UUID, with which the names of Codex's files end.
const UUID: usize = 36;

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
}

impl Transcripts {
    /// The folders of the user: those that the agents' own variables name, else those below the home folder.
    #[must_use]
    pub fn of_user(home: &Path, variable: &dyn Fn(&str) -> Option<PathBuf>) -> Self {
        let claude = variable("CLAUDE_CONFIG_DIR").unwrap_or_else(|| home.join(".claude"));
        let codex = variable("CODEX_HOME").unwrap_or_else(|| home.join(".codex"));
        Self { claude: claude.join("projects"), codex: codex.join("sessions") }
    }

    /// The folder of an agent's transcripts. `None`: it has no files.
    #[must_use]
    pub fn folder(&self, agent: ForeignAgent) -> Option<&Path> {
        match agent {
            ForeignAgent::Claude => Some(&self.claude),
            ForeignAgent::Codex => Some(&self.codex),
            ForeignAgent::OpenCode => None,
        }
    }

    /// The sessions of an agent, the one that was written last first. Without a folder there are none.
    ///
    /// # Errors
    /// [`TranscriptError::Unreadable`]: the folder of the agent cannot be read. One below it that cannot is left out.
    pub fn list(&self, agent: ForeignAgent) -> Result<Vec<Transcript>, TranscriptError> {
        let Some(folder) = self.folder(agent) else { return Ok(Vec::new()) };
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

    /// The session of this id, or the only one whose id begins so.
    ///
    /// # Errors
    /// [`TranscriptError`]: no session fits, or more than one.
    pub fn find(&self, name: &ForeignName) -> Result<Transcript, TranscriptError> {
        let ForeignName { agent, id } = name;
        let shown = || cut_end(id, ECHO).to_owned();
        let mut begins = self.list(*agent)?;
        begins.retain(|one| !id.is_empty() && one.id.starts_with(id.as_str()));
        // A session that was moved to another project has a file in both; the newer one is first.
        begins.dedup_by(|later, first| later.id == first.id);
        if let Some(exact) = begins.iter().position(|one| one.id == *id) {
            return Ok(begins.swap_remove(exact));
        }
        match begins.len() {
            0 => {
                let folder = self.folder(*agent).unwrap_or(Path::new("its database")).to_owned();
                Err(TranscriptError::Missing { agent: *agent, id: shown(), folder })
            }
            1 => Ok(begins.swap_remove(0)),
            _ => Err(TranscriptError::Several { agent: *agent, id: shown() }),
        }
    }
}

/// The transcripts of a folder and of those below it. Links are not followed.
fn collect(agent: ForeignAgent, entries: fs::ReadDir, depth: usize, found: &mut Vec<Transcript>) {
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth < depth_of(agent) {
            if let Ok(below) = fs::read_dir(entry.path()) {
                collect(agent, below, depth + 1, found);
            }
        } else if kind.is_file()
            && let Some(id) = id_of(agent, &entry.path())
            && let Ok(modified) = entry.metadata().and_then(|metadata| metadata.modified())
        {
            found.push(Transcript { id, path: entry.path(), modified });
        }
    }
}

const fn depth_of(agent: ForeignAgent) -> usize {
    match agent {
        ForeignAgent::Codex => DEPTH,
        _ => 1,
    }
}

/// Returns true if a text is an id that agents give: letters, digits, `-` and `_`, and no option of a command line.
#[must_use]
pub fn is_plain_id(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    !text.is_empty() && !text.starts_with('-') && text.chars().all(plain)
}

/// The id that the name of a file has.
fn id_of(agent: ForeignAgent, path: &Path) -> Option<String> {
    let stem = path.file_name()?.to_str()?.strip_suffix(".jsonl")?;
    let id = match agent {
        // Files of subagents are no sessions of the user.
        ForeignAgent::Claude => (!stem.starts_with("agent-")).then_some(stem)?,
        ForeignAgent::Codex => stem.strip_prefix("rollout-")?.get(stem.len().checked_sub(UUID + 8)?..)?,
        ForeignAgent::OpenCode => return None,
    };
    is_plain_id(id).then(|| id.to_owned())
}

#[cfg(test)]
mod tests;
