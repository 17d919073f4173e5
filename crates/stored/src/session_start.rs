//! Which session is opened.

use throughline_conversation::SessionId;

/// The session that is opened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum SessionStart {
    /// A new session.
    #[default]
    New,
    /// An existing session.
    Existing(SessionId),
    /// A copy of an existing session.
    Fork(SessionId),
}

impl SessionStart {
    /// An existing session, or a copy of it.
    #[must_use]
    pub fn of(session: SessionId, fork: bool) -> Self {
        if fork { Self::Fork(session) } else { Self::Existing(session) }
    }

    /// Returns true if opening it creates a session.
    #[must_use]
    pub fn is_new(&self) -> bool {
        !matches!(self, Self::Existing(_))
    }
}
