//! Telling formats apart by what is in them.

use serde_json::Value;

use super::atif;
use super::content::{get, text_of};
use super::gemini;
use super::lines::JsonLines;
use super::pydantic_ai;
use crate::session::Format;

/// The format of a file that is one JSON document.
pub(super) fn document(value: &Value) -> Option<Format> {
    if text_of(value, "schema_version").is_some_and(|version| version.starts_with(atif::SCHEMA)) {
        return Some(Format::Atif);
    }
    if pydantic_ai::is_conversation(value) {
        return Some(Format::PydanticAi);
    }
    if let Some(history) = value.get("history").and_then(Value::as_array) {
        return history.iter().all(|entry| entry.get("role").is_some()).then_some(Format::SweAgent);
    }
    let messages = value.get("messages")?.as_array()?;
    if gemini::begins_gemini_session(value) {
        return Some(Format::GeminiCli);
    }
    let first = messages.first()?;
    if first.get("info").is_some() && first.get("parts").is_some() {
        return Some(Format::OpenCode);
    }
    first.get("role").is_some().then_some(Format::MiniSweAgent)
}

/// The format of a file of one JSON value a line: that of the first line that shows one.
pub(super) fn lines(lines: &JsonLines) -> Option<Format> {
    lines.values.iter().find_map(|(_, value)| line(value))
}

fn line(value: &Value) -> Option<Format> {
    if gemini::begins_gemini_session(value) {
        return Some(Format::GeminiCli);
    }
    let kind = text_of(value, "type")?;
    let role = get(value, &["message", "role"]).is_some();
    match kind {
        "session_meta" | "response_item" | "turn_context" | "event_msg" if value.get("payload").is_some() => {
            Some(Format::Codex)
        }
        "session" if value.get("cwd").is_some() || value.get("version").is_some() => Some(Format::Pi),
        "message" if role => Some(Format::Pi),
        "user" | "assistant" if role => Some(Format::ClaudeCode),
        "session.start" | "session.resume" | "system.message" | "user.message" | "assistant.message"
            if value.get("data").is_some_and(Value::is_object) =>
        {
            Some(Format::CopilotCli)
        }
        "summary" if value.get("leafUuid").is_some() => Some(Format::ClaudeCode),
        "file-history-snapshot" => Some(Format::ClaudeCode),
        // Its notes, which a session that has just begun consists of.
        _ if text_of(value, "sessionId").is_some() => Some(Format::ClaudeCode),
        _ => None,
    }
}
