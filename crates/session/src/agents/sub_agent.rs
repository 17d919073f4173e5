//! Which sub-agent an event is of.

use serde_json::{Value, json};
use throughline_conversation::SessionId;

/// A sub-agent at work, as its user knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubAgent {
    /// Its session.
    pub id: SessionId,
    /// Its kind.
    pub kind: String,
    /// Its task in a few words.
    pub title: String,
    /// 1: a user's own session has started it.
    pub depth: u64,
    /// The call that started it, in the session that it works for.
    pub call: String,
}

impl SubAgent {
    /// The field `agent` of its events.
    #[must_use]
    pub fn object(&self) -> Value {
        json!({"id": self.id, "kind": self.kind, "depth": self.depth, "call_id": self.call})
    }
}
