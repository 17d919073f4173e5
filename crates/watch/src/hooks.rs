//! Hooks of agents: the settings that add ours to a run of Claude Code, what hooks are given, and what they answer. Codex
//! and the plugin for OpenCode give and take the same.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use throughline_replay::lenient_json;

use crate::asked_compaction::AskedCompaction;
use crate::gemini_signs::ContextNeed;
use crate::tool_result::CLAUDE_TOOLS;

/// The events at which the transcript is stored. At the first one a context may be restored, too.
pub(crate) const EVENTS: [&str; 4] = ["SessionStart", "PreCompact", "Stop", "SessionEnd"];

/// The event after which a tool's result may be replaced.
pub(crate) const TOOL_EVENT: &str = "PostToolUse";

/// Seconds that a hook may take.
pub(crate) const TIMEOUT: u64 = 60;

/// Seconds that the hook of a tool's result may take: the agent waits for it.
pub(crate) const TOOL_TIMEOUT: u64 = 10;

/// Name of the MCP server that a watched agent gets.
pub const OWN_SERVER: &str = "throughline";

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
    /// The id of the session.
    #[serde(default)]
    pub session_id: Option<String>,
    /// The folder that the agent works in.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// What the model has said last, at the end of a turn.
    #[serde(default)]
    pub last_assistant_message: Option<String>,
    /// The message that will have the answer to a request.
    #[serde(default)]
    message_id: Option<String>,
    /// What has begun a compaction.
    #[serde(default)]
    trigger: Option<String>,
    /// The compaction that Claude Code is about to make.
    #[serde(default)]
    compaction: Option<AskedCompaction>,
    #[serde(default)]
    tool_name: Option<String>,
    #[serde(default)]
    tool_input: Value,
    #[serde(default)]
    tool_response: Value,
    #[serde(default)]
    tool_use_id: Option<String>,
}

/// A call of a tool that has ended, in a hook's payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolUse<'p> {
    /// The tool.
    pub tool: &'p str,
    /// The id of the call; empty if the agent gives none.
    pub call: &'p str,
    /// The arguments.
    pub input: &'p Value,
    /// The result, in the form of the tool.
    pub response: &'p Value,
}

impl HookPayload {
    /// Reads a payload.
    ///
    /// # Errors
    /// It has another form.
    pub fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        let mut payload: Self = lenient_json(bytes)?;
        // Some versions of Claude Code name no transcript so.
        payload.transcript_path = payload.transcript_path.filter(|path| !path.as_os_str().is_empty());
        Ok(payload)
    }

    /// Why the agent needs its context, if it has just lost it or begins again with an old session. That of Gemini CLI is in its
    /// transcript: see [`gemini_need`](crate::gemini_need).
    #[must_use]
    pub fn context_need(&self) -> Option<ContextNeed> {
        match (self.hook_event_name.as_str(), self.source.as_deref()) {
            ("SessionStart", Some("compact")) => Some(ContextNeed::Compacted),
            ("SessionStart", Some("resume")) => Some(ContextNeed::Resumed),
            _ => None,
        }
    }

    /// What begins a compaction that is about to be made. `None`: another event.
    pub(crate) fn begun_compaction(&self) -> Option<&str> {
        self.trigger.as_deref().filter(|_| self.hook_event_name == "PreCompact")
    }

    /// The compaction that the module of Claude Code asks about. `None`: another event.
    pub(crate) fn asked_compaction(&self) -> Option<&AskedCompaction> {
        self.compaction.as_ref().filter(|_| self.hook_event_name == "SessionCompact")
    }

    /// Returns true if Claude Code has loaded our module.
    pub(crate) fn loads_module(&self) -> bool {
        self.hook_event_name == "ModuleLoaded"
    }

    /// Returns true if a message of the user is about to be sent: an event of Gemini CLI.
    #[must_use]
    pub fn begins_a_turn(&self) -> bool {
        self.hook_event_name == "BeforeAgent"
    }

    /// The message that will have the answer to a request with a restored context, of this session: an event of the plugin for
    /// OpenCode. `None`: another event.
    #[must_use]
    pub fn sent_context(&self) -> Option<(&str, &str)> {
        let is_sent = self.hook_event_name == "ContextSent";
        self.session_id.as_deref().zip(self.message_id.as_deref()).filter(|_| is_sent)
    }

    /// The answer that gives the agent a context.
    #[must_use]
    pub fn context_answer(&self, text: &str) -> Value {
        json!({"hookSpecificOutput": {"hookEventName": self.hook_event_name, "additionalContext": text}})
    }

    /// The call whose result may be replaced. `None`: another event.
    #[must_use]
    pub fn tool_use(&self) -> Option<ToolUse<'_>> {
        if self.hook_event_name != TOOL_EVENT {
            return None;
        }
        let call = self.tool_use_id.as_deref().unwrap_or_default();
        let (input, response) = (&self.tool_input, &self.tool_response);
        Some(ToolUse { tool: self.tool_name.as_deref().unwrap_or_default(), call, input, response })
    }

    /// Returns true if a turn has ended.
    #[must_use]
    pub fn ends_a_turn(&self) -> bool {
        matches!(self.hook_event_name.as_str(), "Stop" | "AfterAgent")
    }
}

/// The settings that run a command at each event, and with `offload` also after the tools whose results may be replaced.
#[must_use]
pub fn hook_settings(command: &str, offload: bool) -> Value {
    let hook = |seconds: u64| json!({"type": "command", "command": command, "timeout": seconds});
    let mut hooks: Map<String, Value> =
        EVENTS.into_iter().map(|event| (event.to_owned(), json!([{"hooks": [hook(TIMEOUT)]}]))).collect();
    if !offload {
        return json!({ "hooks": hooks });
    }
    let after = json!([{"matcher": CLAUDE_TOOLS, "hooks": [hook(TOOL_TIMEOUT)]}]);
    hooks.insert(TOOL_EVENT.to_owned(), after);
    // What was stored may be read back without a question: the agent has had it.
    let reads_back = format!("mcp__{OWN_SERVER}__read_result");
    json!({"hooks": hooks, "permissions": {"allow": [reads_back]}})
}

/// The MCP servers of a run: ours. With `offload` its tools are in every request, because previews name one.
#[must_use]
pub fn server_settings(command: &str, args: &[String], offload: bool) -> Value {
    let mut server = json!({"command": command, "args": args});
    if offload && let Some(server) = server.as_object_mut() {
        server.insert("alwaysLoad".to_owned(), Value::Bool(true));
    }
    json!({"mcpServers": {OWN_SERVER: server}})
}

/// The answer of a hook that shows the user a text. The model does not see it.
#[must_use]
pub fn user_answer(text: &str) -> Value {
    json!({ "systemMessage": text })
}

#[cfg(test)]
mod tests;
