//! A recorded session, independent of the agent that recorded it.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use throughline_conversation::{Message, Millis, ToolResult, Usage};
pub use throughline_conversation::{RequestFacts, RequestTerms, UnshownAnswer};

/// The format of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Claude Code's session file: one JSON object a line.
    ClaudeCode,
    /// Codex CLI's rollout file: one JSON object a line.
    Codex,
    /// What `opencode export` writes: one JSON document.
    #[serde(rename = "opencode")]
    OpenCode,
    /// pi's session file: one JSON object a line.
    Pi,
    /// mini-swe-agent's trajectory: one JSON document with a list of messages.
    MiniSweAgent,
    /// SWE-agent's trajectory: one JSON document with a history.
    SweAgent,
    /// Copilot CLI's session file: one event a line.
    CopilotCli,
    /// Gemini CLI's session file: one record a line.
    GeminiCli,
    /// The Agent Trajectory Interchange Format, version 1: one JSON document with a list of steps.
    Atif,
    /// pydantic-ai's conversation: one JSON document with a list of messages.
    PydanticAi,
}

impl Format {
    /// The name, as reports show it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::OpenCode => "opencode",
            Self::Pi => "pi",
            Self::MiniSweAgent => "mini-swe-agent",
            Self::SweAgent => "swe-agent",
            Self::CopilotCli => "copilot-cli",
            Self::GeminiCli => "gemini-cli",
            Self::Atif => "atif",
            Self::PydanticAi => "pydantic-ai",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which work of an agent a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SessionPart {
    /// The conversation with the user.
    #[default]
    Conversation,
    /// A branch of a conversation that the user has rewound: it was paid, and is no part of the conversation any more.
    Rewound,
    /// The work of a subagent.
    Subagent,
}

/// A session of some agent, as a list of turns.
///
/// Invariants: the messages in order are a valid transcript (but for the last, which may be the model's); call
/// ids are unique; every call has a result; no turn is without a step.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedSession {
    /// The name that the recording gives itself; the file's name where it gives none.
    pub id: String,
    /// Where it was read from.
    pub file: PathBuf,
    /// How it was recorded.
    pub format: Format,
    /// The model, where the recording names it.
    pub model: Option<String>,
    /// The name that its user has given it, or in OpenCode its model, where the recording has it.
    pub title: Option<String>,
    /// The system prompt, where the recording has it.
    pub system: Option<String>,
    /// Which work it is.
    pub part: SessionPart,
    /// The id of the session that it belongs to or was forked from, where the recording names it.
    pub parent: Option<String>,
    /// The turns, oldest first.
    pub turns: Vec<RecordedTurn>,
    /// The user's last message, if the recording ends before it was answered, or the note that the last answer was broken off.
    pub open_request: Option<Message>,
    /// Branches that the user has rewound, and conversations of subagents, that are in the same recording.
    pub separate: Vec<RecordedSession>,
    /// What of the recording is missing, one sentence each, for a person.
    pub warnings: Vec<String>,
    /// Repairs and skipped entries, one line each.
    pub repairs: Vec<String>,
    /// How often the agent had compacted its own context. Its summaries are left out of the turns.
    pub recorded_compactions: usize,
}

/// A message of the user and the work on it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedTurn {
    /// The user's message; consecutive texts are blocks of one message.
    pub user: Message,
    /// The model's answers. All but the last have calls; the last has none, unless the turn was cut off.
    pub steps: Vec<RecordedStep>,
}

/// One answer of the model, and what its tools answered.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedStep {
    /// The answer.
    pub assistant: Message,
    /// The results of its calls, in the order of the calls.
    pub results: Vec<ToolResult>,
    /// What the provider reported for it.
    pub usage: Option<Usage>,
    /// When the request for it was sent: the time of the newest message in it. `None`: not recorded.
    pub asked_at: Option<Millis>,
    /// When it was complete. `None`: not recorded.
    pub answered_at: Option<Millis>,
    /// What else is recorded of the request for it.
    pub request: RequestFacts,
}

impl RecordedTurn {
    /// Returns true if the turn ends with calls: the user interrupted, or the recording ended, before the next answer.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.steps.last().is_some_and(|step| step.assistant.tool_calls().next().is_some())
    }
}

impl RecordedSession {
    /// All steps, oldest first.
    pub fn steps(&self) -> impl Iterator<Item = &RecordedStep> {
        self.turns.iter().flat_map(|turn| &turn.steps)
    }

    /// The number of requests with a recorded time.
    #[must_use]
    pub fn timed_requests(&self) -> usize {
        self.steps().filter(|step| step.asked_at.is_some()).count()
    }

    /// All messages, oldest first.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        let mut messages = Vec::new();
        for turn in &self.turns {
            messages.push(turn.user.clone());
            for step in &turn.steps {
                messages.push(step.assistant.clone());
                if !step.results.is_empty() {
                    messages.push(Message::results(step.results.iter().cloned()));
                }
            }
        }
        messages
    }

    /// Names of the tools that were called, sorted.
    #[must_use]
    pub fn tool_names(&self) -> BTreeSet<String> {
        self.steps().flat_map(|step| step.assistant.tool_calls()).map(|call| call.name.clone()).collect()
    }
}
