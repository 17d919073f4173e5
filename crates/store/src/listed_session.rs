//! An entry of the list of sessions.

use throughline_continuity::SessionInfo;
use throughline_conversation::SessionId;

/// A session in the list, without the figures of its log.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedSession {
    /// What is known of it.
    pub info: SessionInfo,
    /// The session that it works for as a sub-agent; `None`: it is a user's own.
    pub parent: Option<SessionId>,
}
