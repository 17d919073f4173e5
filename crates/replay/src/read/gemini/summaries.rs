//! Summaries of Gemini CLI: a message of the user with a fixed answer.

use serde_json::Value;

use super::super::content::{list, text_of};

/// What the agent lets the model say to a summary.
const ACKNOWLEDGES: &str = "Got it. Thanks for the additional context!";

/// A summary in a record of Gemini CLI.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeminiSummary<'v> {
    /// The id of the answer to it. The same one is repeated on resume.
    pub id: &'v str,
    /// What it says.
    pub text: String,
}

/// The summaries that a record sends from now on.
#[must_use]
pub fn gemini_summaries(record: &Value) -> Vec<GeminiSummary<'_>> {
    record.get("$set").map(|set| summaries(list(set, "messages"))).unwrap_or_default()
}

/// The summaries among messages.
pub(super) fn summaries(messages: &[Value]) -> Vec<GeminiSummary<'_>> {
    let pairs = messages.iter().zip(messages.iter().skip(1));
    let found = pairs.filter(|(summary, answer)| {
        let of = |message: &Value, kind: &str| text_of(message, "type") == Some(kind);
        of(summary, "user") && of(answer, "gemini") && said(answer).trim() == ACKNOWLEDGES
    });
    found
        .filter_map(|(summary, answer)| {
            Some(GeminiSummary { id: text_of(answer, "id")?, text: said(summary) })
        })
        .collect()
}

/// The text of a message.
pub(super) fn said(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        _ => list(message, "content").iter().filter_map(|part| text_of(part, "text")).collect(),
    }
}
