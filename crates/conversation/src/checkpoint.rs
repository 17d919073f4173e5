//! Checkpoints: how far a session has come, small enough to be kept often.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ids::{Millis, Seq};

/// Why a checkpoint was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckpointReason {
    /// So many requests have gone by.
    Interval,
    /// The view was compacted.
    Compaction,
    /// The process ends in good order.
    Exit,
    /// A turn failed.
    Failure,
    /// Somebody asked for it.
    Manual,
}

/// How far a session has come. Messages and documents are named by their places, never copied: a checkpoint's size
/// does not grow with the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckpointRecord {
    /// Why it was made.
    pub reason: CheckpointReason,
    /// Requests that were answered so far.
    pub iteration: u64,
    /// Tokens that were sent so far, cached ones included.
    pub input_tokens: u64,
    /// Tokens that models wrote so far.
    pub output_tokens: u64,
    /// The role in which the model works; empty: none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hat: String,
    /// The messages are those of the view up to this record.
    pub messages: Seq,
    /// The scratchpad's revision; 0: none.
    #[serde(default)]
    pub scratchpad: Seq,
    /// The revision of STATE; 0: none.
    #[serde(default)]
    pub state: Seq,
    /// The error that ended the last turn, when one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_error: Option<String>,
    /// When it happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<Millis>,
    /// What helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery_hint: Option<String>,
    /// The handoff, when one is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handoff: Option<Value>,
    /// How far a long task has come, in the form of who runs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<Value>,
}
