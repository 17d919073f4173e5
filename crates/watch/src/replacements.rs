//! Which replaced results an agent has taken: its session has the reference, or the original.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use serde_json::Value;
use throughline_replay::{RecordedSession, open_recording};
use throughline_text::headline;

use crate::lines::each_line;
use throughline_conversation::is_agent_note;

/// Maximum bytes of a reason.
const REASON: usize = 200;

/// What became of a replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replacement {
    /// The session has it in place of the result.
    Taken,
    /// The session has the original, or something else, without the reference.
    NotTaken,
    /// The session does not have the call, or not yet: calls of subagents are in other files.
    Unseen,
}

/// What became of replacements, each the id of a call and the reference that the model was to see. Where the id is empty, the
/// reference alone counts.
#[must_use]
pub fn replacements<'r>(
    recorded: &RecordedSession,
    asked: impl IntoIterator<Item = (&'r str, &'r str)>,
) -> Vec<Replacement> {
    let results = recorded.steps().flat_map(|step| &step.results);
    let by_call: HashMap<&str, &str> =
        results.map(|result| (result.call_id.as_str(), result.content.as_str())).collect();
    let fate = |(call, reference): (&str, &str)| match by_call.get(call) {
        Some(content) if content.contains(reference) => Replacement::Taken,
        Some(_) => Replacement::NotTaken,
        None if call.is_empty() && by_call.values().any(|content| content.contains(reference)) => {
            Replacement::Taken
        }
        None => Replacement::Unseen,
    };
    asked.into_iter().map(fate).collect()
}

/// What Claude Code notes in its transcript, and tells no model and no screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AgentNotes {
    /// Why a replacement was refused, by the id of the call.
    pub refused: HashMap<String, String>,
    /// Files that were read again from the disk after a compaction, whole.
    pub read_again: usize,
}

/// The notes in a transcript of Claude Code.
///
/// # Errors
/// The file cannot be read.
pub fn agent_notes(path: &Path) -> io::Result<AgentNotes> {
    let (mut notes, mut compacted) = (AgentNotes::default(), false);
    each_line(open_recording(path)?, |line| {
        let text =
            |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        if text(line, "subtype") == "compact_boundary" {
            compacted = true;
        } else if begins_work(line) {
            compacted = false;
        }
        let Some(attachment) = line.get("attachment") else { return };
        match text(attachment, "type").as_str() {
            "hook_error_during_execution" if text(attachment, "content").contains("updatedToolOutput") => {
                let reason = headline(&text(attachment, "content"), REASON);
                notes.refused.insert(text(attachment, "toolUseID"), reason);
            }
            // Until then these are no files that the user has attached.
            "file" if compacted => notes.read_again += 1,
            _ => {}
        }
    })?;
    Ok(notes)
}

/// Returns true if a line is an answer, or a message that the user has written.
fn begins_work(line: &Value) -> bool {
    let is = |key: &str| line.get(key).and_then(Value::as_bool) == Some(true);
    match line.get("type").and_then(Value::as_str) {
        Some("assistant") => true,
        Some("user") if is("isCompactSummary") || is("isMeta") => false,
        Some("user") => {
            let text = line.pointer("/message/content").and_then(Value::as_str);
            text.is_some_and(|text| !is_agent_note(text))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;
