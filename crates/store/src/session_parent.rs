//! What a session of a sub-agent is for.

use throughline_conversation::SessionId;

/// A session of a sub-agent, and what it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionParent {
    /// The session of the sub-agent.
    pub session: SessionId,
    /// The session that it works for.
    pub parent: SessionId,
    /// The kind of sub-agent.
    pub kind: String,
    /// The call that began it.
    pub call: String,
}
