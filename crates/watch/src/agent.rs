//! Other agents, and names of their sessions.

use std::fmt;

use throughline_conversation::{SessionId, SessionIdError};
use throughline_replay::Format;

use crate::file_agent::FileAgent;

/// An agent whose transcripts can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ForeignAgent {
    /// Claude Code.
    Claude,
    /// Codex CLI.
    Codex,
    /// OpenCode. Its sessions are in a database of its own; it exports them.
    OpenCode,
    /// Gemini CLI.
    Gemini,
}

impl ForeignAgent {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Claude, Self::Codex, Self::OpenCode, Self::Gemini];

    /// The name on command lines.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::OpenCode => "opencode",
            Self::Gemini => "gemini",
        }
    }

    /// The format of its recordings.
    #[must_use]
    pub const fn format(self) -> Format {
        match self {
            Self::Claude => Format::ClaudeCode,
            Self::Codex => Format::Codex,
            Self::OpenCode => Format::OpenCode,
            Self::Gemini => Format::GeminiCli,
        }
    }

    /// Its transcripts. `None`: they are not files.
    #[must_use]
    pub const fn files(self) -> Option<FileAgent> {
        match self {
            Self::Claude => Some(FileAgent::Claude),
            Self::Codex => Some(FileAgent::Codex),
            Self::Gemini => Some(FileAgent::Gemini),
            Self::OpenCode => None,
        }
    }

    /// Returns true if its transcripts are files that can be listed.
    #[must_use]
    pub const fn has_files(self) -> bool {
        self.files().is_some()
    }

    /// Returns true if hooks can be given to it for one run, without a change of its user's files.
    #[must_use]
    pub const fn takes_hooks(self) -> bool {
        !matches!(self, Self::Gemini)
    }

    /// What its input field shows while nothing is in it. `None`: it is not known.
    #[must_use]
    pub const fn empty_input(self) -> Option<&'static str> {
        match self {
            Self::Gemini => Some("Type your message"),
            _ => None,
        }
    }

    /// The provider whose models it runs.
    #[must_use]
    pub const fn provider(self) -> &'static str {
        match self {
            Self::Claude => "anthropic",
            Self::Codex => "openai",
            // Of any provider.
            Self::OpenCode => "opencode",
            Self::Gemini => "gemini",
        }
    }

    /// The session as which a session of the agent is stored.
    ///
    /// # Errors
    /// The id has a character that no id of a session may have, or is too long.
    pub fn session_id(self, id: &str) -> Result<SessionId, SessionIdError> {
        TranscriptOrigin::from(self).session_id(id)
    }

    /// The agent of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.name() == name)
    }
}

impl fmt::Display for ForeignAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Characters of an id of a stored session that are left for its name and its id: 64 without the two hyphens, and without the
/// number of a branch.
const IDS: usize = 64 - 2 - 3;

/// Which program has written a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TranscriptOrigin {
    /// The name with which the ids of its stored sessions begin.
    name: &'static str,
    /// The provider of its models, or the program where they are of any provider.
    provider: &'static str,
}

impl TranscriptOrigin {
    /// That of a file of this format.
    #[must_use]
    pub fn of(format: Format) -> Self {
        let agent = match format {
            Format::ClaudeCode => ForeignAgent::Claude,
            Format::Codex => ForeignAgent::Codex,
            Format::OpenCode => ForeignAgent::OpenCode,
            Format::GeminiCli => ForeignAgent::Gemini,
            other => return Self { name: other.name(), provider: other.name() },
        };
        agent.into()
    }

    pub(crate) const fn name(self) -> &'static str {
        self.name
    }

    pub(crate) const fn provider(self) -> &'static str {
        self.provider
    }

    pub(crate) fn session_id(self, id: &str) -> Result<SessionId, SessionIdError> {
        SessionId::new(format!("{self}-{id}"))
    }

    /// An id, or the name of a file, in the form of an id: other characters are `-`, and it is cut to the length that there is
    /// room for behind the name.
    pub(crate) fn usable_id(self, id: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        id.chars().map(plain).take(IDS.saturating_sub(self.name.len())).collect()
    }
}

impl From<ForeignAgent> for TranscriptOrigin {
    fn from(agent: ForeignAgent) -> Self {
        Self { name: agent.name(), provider: agent.provider() }
    }
}

impl fmt::Display for TranscriptOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// The name of another agent's session: `claude:ID`, `codex:ID`, `opencode:ID` or `gemini:ID`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForeignName {
    /// The agent.
    pub agent: ForeignAgent,
    /// The id, or the start of one.
    pub id: String,
}

impl ForeignName {
    /// Reads a name. `None`: it does not begin with an agent and a colon.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (agent, id) = text.split_once(':')?;
        Some(Self { agent: ForeignAgent::of(agent)?, id: id.trim().to_owned() })
    }
}

impl fmt::Display for ForeignName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.agent, self.id)
    }
}
