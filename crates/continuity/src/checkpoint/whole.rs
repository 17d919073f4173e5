//! A checkpoint with everything that its record only names.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use throughline_conversation::{CheckpointRecord, DocumentName, Documents, Message, Millis, View};

/// A checkpoint as one JSON object. All keys are always there; what there is not is `null` or empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckpointJson {
    /// Answered requests.
    pub iteration: u64,
    /// Tokens sent, cached ones included.
    pub input_tokens: u64,
    /// Tokens that models wrote.
    pub output_tokens: u64,
    /// The role in which the model works.
    pub hat: String,
    /// The messages that the model is shown: objects of `role` and `content`.
    pub messages: Vec<Arc<Message>>,
    /// The error that ended the last turn.
    pub last_error: Option<String>,
    /// When it happened: RFC 3339, UTC.
    pub failed_at: Option<String>,
    /// What helps.
    pub recovery_hint: Option<String>,
    /// The scratchpad.
    pub scratchpad: String,
    /// The handoff.
    pub handoff: Option<Value>,
}

/// Writes a checkpoint out. `view` and `documents` are those at the checkpoint's places; the caller makes them from the log
/// (or gives the present ones, when the checkpoint is the newest record).
#[must_use]
pub fn checkpoint_json(record: &CheckpointRecord, view: &View, documents: &Documents) -> CheckpointJson {
    CheckpointJson {
        iteration: record.iteration,
        input_tokens: record.input_tokens,
        output_tokens: record.output_tokens,
        hat: record.hat.clone(),
        messages: view.entries().iter().map(|entry| Arc::clone(&entry.message)).collect(),
        last_error: record.last_error.clone(),
        failed_at: record.failed_at.map(Millis::rfc3339),
        recovery_hint: record.recovery_hint.clone(),
        scratchpad: documents.text(DocumentName::Scratchpad).to_owned(),
        handoff: record.handoff.clone(),
    }
}
