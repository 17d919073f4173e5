//! Compactions in a session that OpenCode has exported, and the proof that a restored context reached the model.
//!
//! The context is in no message of the session: the plugin adds it to requests. Right before a request leaves, the plugin looks
//! if the context is still in it, and reports the id of the message that will have the answer. The export says if that message
//! was answered, and if it was the first after the compaction.

use serde_json::Value;

use crate::compactions::{ForeignCompaction, FoundCompactions, Sign};

/// The compactions in an exported session, oldest first. `sent`: the ids of the answers whose requests had the context. The
/// text of a context is not in it.
#[must_use]
pub fn opencode_compactions(exported: &Value, sent: &[String]) -> Vec<ForeignCompaction> {
    let messages = exported.get("messages").and_then(Value::as_array);
    let mut found = FoundCompactions::default();
    for message in messages.into_iter().flatten() {
        let Some(info) = message.get("info") else { continue };
        if info.get("role").and_then(Value::as_str) != Some("assistant") {
            continue;
        }
        if info.get("summary").and_then(Value::as_bool) == Some(true) {
            found.note(Sign::Boundary(said(message)));
            continue;
        }
        // One that broke off is asked for again.
        let is_answer =
            info.pointer("/time/completed").is_some() && info.get("error").is_none_or(Value::is_null);
        if !is_answer {
            continue;
        }
        let id = info.get("id").and_then(Value::as_str).unwrap_or_default();
        if sent.iter().any(|sent| sent == id) {
            found.note(Sign::LateContext(String::new()));
        }
        found.note(Sign::Answer);
    }
    found.all
}

/// What a message says.
fn said(message: &Value) -> String {
    let parts = message.get("parts").and_then(Value::as_array);
    let texts = parts.into_iter().flatten().filter_map(|part| part.get("text")?.as_str());
    texts.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests;
