//! Agents whose sessions are files, and how the files are named.

use std::fmt;
use std::path::{Path, PathBuf};

use throughline_replay::{begins_gemini_session, first_value, unpacked_name};

use crate::transcripts::is_plain_id;

/// Characters of a UUID, with which the names of Codex's files end.
const UUID: usize = 36;

/// The folder, below that of a project, in which Gemini CLI has its sessions. Those of subagents are in folders below it.
pub(crate) const GEMINI_CHATS: &str = "chats";

/// The folder, next to that of its sessions, in which Codex has those that its user has put away.
pub(crate) const ARCHIVED: &str = "archived_sessions";

/// Maximum bytes of the first line of a file of Gemini CLI, which has the id.
const FIRST_LINE: u64 = 64 * 1024;

/// An agent that stores each session in a file of one JSON value a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileAgent {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// Copilot CLI.
    Copilot,
    /// Gemini CLI.
    Gemini,
    /// pi.
    Pi,
}

/// The folder that a variable of the user names.
pub(crate) fn named_folder(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from)
}

impl FileAgent {
    /// The folder of its sessions: where its own variable says, else below the home folder.
    pub(crate) fn folder(self, home: &Path, variable: &dyn Fn(&str) -> Option<PathBuf>) -> PathBuf {
        let (name, usual, sessions) = match self {
            Self::Claude => ("CLAUDE_CONFIG_DIR", ".claude", "projects"),
            Self::Codex => ("CODEX_HOME", ".codex", "sessions"),
            Self::Copilot => ("COPILOT_HOME", ".copilot", "session-state"),
            // The variable names a home folder.
            Self::Gemini => ("GEMINI_CLI_HOME", "", ".gemini/tmp"),
            Self::Pi => ("PI_CODING_AGENT_DIR", ".pi/agent", "sessions"),
        };
        variable(name).unwrap_or_else(|| home.join(usual)).join(sessions)
    }

    /// The folder of the sessions that the user has put away, by that of the others. `None`: the agent has none.
    pub(crate) fn archive(self, sessions: &Path) -> Option<PathBuf> {
        (self == Self::Codex).then(|| sessions.with_file_name(ARCHIVED))
    }

    /// Folders below that of the agent in which files are looked for: Codex has one for each year, month and day.
    pub(crate) const fn depth(self) -> usize {
        match self {
            Self::Codex => 3,
            // A project, and its sessions.
            Self::Gemini => 2,
            Self::Claude | Self::Copilot | Self::Pi => 1,
        }
    }

    /// The id of the session in a file, by the file's name and for Gemini CLI by its first line. `None`: it is not the file of a session.
    pub(crate) fn id_of(self, path: &Path) -> Option<String> {
        let name = path.file_name()?.to_str()?;
        // Codex packs what was not written for a week.
        let name = if self == Self::Codex { unpacked_name(name) } else { name };
        let stem = name.strip_suffix(".jsonl")?;
        let id = match self {
            // Files of subagents are no sessions of the user.
            Self::Claude => (!stem.starts_with("agent-")).then_some(stem)?,
            Self::Codex => stem.strip_prefix("rollout-")?.get(stem.len().checked_sub(UUID + 8)?..)?,
            // Each session has a folder, in earlier versions a file.
            Self::Copilot if stem == "events" => path.parent()?.file_name()?.to_str()?,
            Self::Copilot => stem,
            Self::Gemini => return gemini_id(path).filter(|id| is_plain_id(id)),
            // The time of its start is before it.
            Self::Pi => stem.rsplit_once('_')?.1,
        };
        is_plain_id(id).then(|| id.to_owned())
    }
}

/// The id in the first line of a file of Gemini CLI; its name has the start alone.
fn gemini_id(path: &Path) -> Option<String> {
    let is_chat =
        path.parent()?.file_name()? == GEMINI_CHATS && path.file_name()?.to_str()?.starts_with("session-");
    let first = is_chat.then(|| first_value(path, FIRST_LINE))??;
    begins_gemini_session(&first).then(|| first.get("sessionId")?.as_str().map(str::to_owned))?
}

impl fmt::Display for FileAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Copilot => "copilot",
            Self::Gemini => "gemini",
            Self::Pi => "pi",
        })
    }
}
