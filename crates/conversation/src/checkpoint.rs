//! Checkpoints: how far a session has come, small enough to be stored often.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{Millis, Seq};

/// Why a checkpoint was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckpointReason {
    /// The checkpoint interval has passed.
    Interval,
    /// The view was compacted.
    Compaction,
    /// The process exits normally.
    Exit,
    /// A turn failed.
    Failure,
    /// A step of a task begins: a run that ends in it continues there.
    TaskStep,
}

/// How far a session has come. Messages and documents are referenced by their sequence numbers, never copied: the size
/// of a checkpoint does not grow with the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckpointRecord {
    /// Why it was made.
    pub reason: CheckpointReason,
    /// Answered requests so far.
    pub iteration: u64,
    /// Input tokens so far, cached ones included.
    pub input_tokens: u64,
    /// Output tokens so far.
    pub output_tokens: u64,
    /// The hat that the model wears; empty if it wears none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hat: String,
    /// The last record of the view.
    pub messages: Seq,
    /// The scratchpad's revision; 0 if it was never written.
    #[serde(default)]
    pub scratchpad: Seq,
    /// The revision of STATE; 0 if it was never written.
    #[serde(default)]
    pub state: Seq,
    /// The error that ended the last turn, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// When that error happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<Millis>,
    /// How to recover from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_hint: Option<String>,
    /// The handoff, if the policy generates one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handoff: Option<Value>,
    /// The progress of a long task, in the format of its runner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<Value>,
}

impl CheckpointRecord {
    /// A checkpoint at this record of the view, before anything was used or written. All else is empty.
    #[must_use]
    pub fn new(reason: CheckpointReason, messages: Seq) -> Self {
        Self {
            reason,
            iteration: 0,
            input_tokens: 0,
            output_tokens: 0,
            hat: String::new(),
            messages,
            scratchpad: Seq(0),
            state: Seq(0),
            last_error: None,
            failed_at: None,
            recovery_hint: None,
            handoff: None,
            task: None,
        }
    }
}
