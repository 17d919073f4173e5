//! Hooks of agents: the settings that add ours to a run of Claude Code, what hooks are given, and what they answer. Codex
//! and the plugin for OpenCode give and take the same.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

/// The events at which the transcript is stored. At the first one a context may be restored, too.
pub(crate) const EVENTS: [&str; 4] = ["SessionStart", "PreCompact", "Stop", "SessionEnd"];

/// Seconds that a hook may take.
pub(crate) const TIMEOUT: u64 = 60;

/// What a hook is given on its standard input.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct HookPayload {
    /// The transcript. `None`: the agent stores none.
    #[serde(default)]
    pub transcript_path: Option<PathBuf>,
    hook_event_name: String,
    #[serde(default)]
    source: Option<String>,
    /// The session itself, from an agent without transcripts.
    #[serde(default)]
    pub session: Option<Value>,
}

impl HookPayload {
    /// Reads a payload.
    ///
    /// # Errors
    /// It has another form.
    pub fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes)
    }

    /// Returns true if the agent has just lost its context, or begins again with an old session: after a compaction and
    /// on resume.
    #[must_use]
    pub fn asks_for_context(&self) -> bool {
        self.hook_event_name == "SessionStart" && matches!(self.source.as_deref(), Some("compact" | "resume"))
    }

    /// Returns true if a turn has ended.
    #[must_use]
    pub fn ends_a_turn(&self) -> bool {
        self.hook_event_name == "Stop"
    }

    /// Returns true if the agent has compacted its session.
    #[must_use]
    pub fn is_compaction(&self) -> bool {
        self.source.as_deref() == Some("compact")
    }
}

/// The settings that run a command at each event.
#[must_use]
pub fn hook_settings(command: &str) -> Value {
    let hook = json!([{"hooks": [{"type": "command", "command": command, "timeout": TIMEOUT}]}]);
    let hooks: serde_json::Map<String, Value> =
        EVENTS.into_iter().map(|event| (event.to_owned(), hook.clone())).collect();
    json!({ "hooks": hooks })
}

/// The answer of a hook that gives the agent a context.
#[must_use]
pub fn context_answer(text: &str) -> Value {
    json!({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}})
}

/// The answer of a hook that shows the user a text. The model does not see it.
#[must_use]
pub fn user_answer(text: &str) -> Value {
    json!({ "systemMessage": text })
}

#[cfg(test)]
mod tests;
