//! Names that users give their sessions in the agent.

use serde_json::Value;

use super::content::text_of;

/// The name that a line of Claude Code, Codex or pi gives the session. `None`: it gives none.
#[must_use]
pub fn given_title(line: &Value) -> Option<&str> {
    let title = match text_of(line, "type")? {
        "custom-title" => text_of(line, "customTitle"),
        "session_info" => text_of(line, "name"),
        "event_msg" => {
            let event = line.get("payload")?;
            text_of(event, "thread_name").filter(|_| text_of(event, "type") == Some("thread_name_updated"))
        }
        _ => None,
    };
    title.map(str::trim).filter(|title| !title.is_empty())
}
