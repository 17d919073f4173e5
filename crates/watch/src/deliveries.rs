//! Proof in a transcript of Claude Code that a restored context reached the agent.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde_json::Value;

/// Most bytes of a line that is looked at. A longer one is skipped.
const LINE: u64 = 16 * 1024 * 1024;

/// What every restored context contains.
const MARK: &str = "[Previous Session Context]";

/// A compaction of the agent, and if the context was there before its next answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivery {
    /// The context is in the transcript before the next answer.
    Delivered,
    /// The agent has answered without it.
    Missing,
    /// Neither is in the transcript yet.
    Pending,
}

/// The compactions in a transcript, oldest first.
///
/// # Errors
/// The file cannot be read.
pub fn deliveries(path: &Path) -> io::Result<Vec<Delivery>> {
    let mut found: Vec<Delivery> = Vec::new();
    let mut reader = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(found);
        }
        // A line that is not whole, and the parts of one that is too long, are no JSON.
        let Ok(value) = serde_json::from_slice::<Value>(&line) else { continue };
        if value.get("isSidechain").and_then(Value::as_bool) == Some(true) {
            continue;
        }
        let text = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("subtype") == "compact_boundary" {
            found.push(Delivery::Pending);
        } else if let Some(last @ Delivery::Pending) = found.last_mut() {
            if is_context(&value) {
                *last = Delivery::Delivered;
            } else if text("type") == "assistant" {
                *last = Delivery::Missing;
            }
        }
    }
}

/// Returns true if a line says that a hook's context was given to the agent.
fn is_context(value: &Value) -> bool {
    let Some(attachment) = value.get("attachment") else { return false };
    let kind = attachment.get("type").and_then(Value::as_str);
    kind == Some("hook_additional_context")
        && attachment.get("content").is_some_and(|text| text.to_string().contains(MARK))
}

#[cfg(test)]
mod tests;
