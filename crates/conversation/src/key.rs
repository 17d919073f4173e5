//! Keys of operations: what an operation has returned, for a caller that repeats it after a restart.

use serde::{Deserialize, Serialize};

use crate::ids::Seq;

/// An operation that a caller may repeat by its key. It is written together with what the operation has recorded, so the log
/// has both or neither.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyRecord {
    /// The key.
    pub key: String,
    /// The operation's name. Another one must not have the same key.
    pub operation: String,
    /// Fingerprint of what it was given, where its caller has named one. Another input must not have the same key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// The model's message, if the operation has recorded one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Seq>,
    /// What the operation has returned.
    pub outcome: KeyOutcome,
    /// From this place on, the log has all keys that were remembered with this one, and their messages.
    pub since: Seq,
}

/// What an operation with a key has returned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "then", rename_all = "snake_case")]
pub enum KeyOutcome {
    /// A message of the user was accepted.
    Accepted,
    /// The caller runs calls of the message.
    Calls {
        /// Their ids.
        calls: Vec<String>,
    },
    /// The caller asks for the next request.
    Request,
    /// The turn has ended.
    Finished {
        /// Why the model stopped, in one word.
        stop: String,
    },
}
