//! What happens, as a hook is given it.

use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};
use throughline_conversation::ToolCall;

use crate::event::HookEvent;
use crate::foreign::{foreign_call, names, response};

/// An event with what is known of it.
#[derive(Debug, Clone)]
pub struct Occasion {
    pub(crate) event: HookEvent,
    /// What matchers compare with; empty: they are not looked at.
    pub(crate) names: Vec<String>,
    pub(crate) fields: Map<String, Value>,
}

impl Occasion {
    fn new(event: HookEvent, names: Vec<String>, fields: Value) -> Self {
        let fields = if let Value::Object(fields) = fields { fields } else { Map::new() };
        Self { event, names, fields }
    }

    /// The event.
    #[must_use]
    pub fn event(&self) -> HookEvent {
        self.event
    }

    /// A session begins: `startup`, `resume` or `compact`.
    #[must_use]
    pub fn session_start(source: &str, model: &str) -> Self {
        let fields = json!({ "source": source, "model": model });
        Self::new(HookEvent::SessionStart, vec![source.to_owned()], fields)
    }

    /// A message of the user.
    #[must_use]
    pub fn prompt(text: &str) -> Self {
        Self::new(HookEvent::UserPromptSubmit, Vec::new(), json!({ "prompt": text }))
    }

    /// A call, before it runs.
    #[must_use]
    pub fn before_tool(call: &ToolCall, workspace: &Path) -> Self {
        Self::of_call(HookEvent::PreToolUse, call, workspace)
    }

    /// A call that needs the user's consent, and why.
    #[must_use]
    pub fn permission(call: &ToolCall, why: &str, workspace: &Path) -> Self {
        Self::of_call(HookEvent::PermissionRequest, call, workspace).with("message", json!(why))
    }

    /// A call that has returned this text, as an error or not.
    #[must_use]
    pub fn after_tool(call: &ToolCall, workspace: &Path, text: &str, is_error: bool, took: Duration) -> Self {
        let event = if is_error { HookEvent::PostToolUseFailure } else { HookEvent::PostToolUse };
        let occasion = Self::of_call(event, call, workspace)
            .with("duration_ms", json!(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)));
        match is_error {
            true => occasion.with("error", json!(text)),
            false => occasion.with("tool_response", response(call, text, workspace)),
        }
    }

    fn of_call(event: HookEvent, call: &ToolCall, workspace: &Path) -> Self {
        let (name, input) = foreign_call(call, workspace);
        let fields = json!({ "tool_name": name, "tool_input": input, "tool_use_id": call.id, "own_tool_name": call.name });
        Self::new(event, names(&call.name), fields)
    }

    /// A compaction is asked for or was made: `manual` or `auto`.
    #[must_use]
    pub fn before_compaction(trigger: &str, instructions: Option<&str>) -> Self {
        let fields = json!({ "trigger": trigger, "custom_instructions": instructions.unwrap_or_default() });
        Self::new(HookEvent::PreCompact, vec![trigger.to_owned()], fields)
    }

    /// A compaction was made, with this summary.
    #[must_use]
    pub fn after_compaction(trigger: &str, summary: &str) -> Self {
        let fields = json!({ "trigger": trigger, "compact_summary": summary });
        Self::new(HookEvent::PostCompact, vec![trigger.to_owned()], fields)
    }

    /// The model ends its turn with this text. `again`: a hook has let it continue already.
    #[must_use]
    pub fn stop(text: &str, again: bool) -> Self {
        let fields = json!({ "stop_hook_active": again, "last_assistant_message": text });
        Self::new(HookEvent::Stop, Vec::new(), fields)
    }

    /// A sub-agent of this kind begins.
    #[must_use]
    pub fn subagent_start(kind: &str) -> Self {
        Self::new(HookEvent::SubagentStart, vec![kind.to_owned()], json!({}))
    }

    /// The same as [`stop`](Self::stop) of a sub-agent of this kind.
    #[must_use]
    pub fn subagent_stop(kind: &str, text: &str, again: bool) -> Self {
        let mut stop = Self::stop(text, again);
        stop.event = HookEvent::SubagentStop;
        stop.names = vec![kind.to_owned()];
        stop
    }

    /// The session waits for its user: `permission_prompt` or `idle_prompt`.
    #[must_use]
    pub fn notification(kind: &str, message: &str) -> Self {
        let fields = json!({ "message": message, "notification_type": kind });
        Self::new(HookEvent::Notification, vec![kind.to_owned()], fields)
    }

    /// The session is closed.
    #[must_use]
    pub fn session_end(reason: &str) -> Self {
        Self::new(HookEvent::SessionEnd, vec![reason.to_owned()], json!({ "reason": reason }))
    }

    fn with(mut self, key: &str, value: Value) -> Self {
        self.fields.insert(key.to_owned(), value);
        self
    }
}
