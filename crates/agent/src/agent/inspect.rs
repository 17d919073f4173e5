//! What a caller can read of an agent between turns.

use throughline_budget::ContextBudget;
use throughline_completion::CompletionRequest;
use throughline_continuity::Unreadable;
use throughline_conversation::{SessionId, View};

use crate::agent::Agent;
use crate::decision::is_blocked;

impl Agent {
    /// The session's name.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        &self.session.id
    }

    /// The view that the model sees.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.session.view
    }

    /// How full the window is now.
    #[must_use]
    pub fn budget(&self) -> ContextBudget {
        self.size().budget
    }

    /// The request that would be sent now: system prompt, tools, messages and documents. Notes about the window and cache
    /// breakpoints are added when it is sent. Without a system prompt until [`Self::prepare`] or the first turn.
    #[must_use]
    pub fn next_request(&self) -> CompletionRequest {
        self.frame().next_request(&self.session)
    }

    /// Returns true if no further message may be accepted before the view has shrunk.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        is_blocked(&self.size(), &self.window.limits)
    }

    /// Number of the newest exchange; 0 before the first message of the user.
    #[must_use]
    pub fn exchange(&self) -> u64 {
        self.session.exchange.0
    }

    /// Requests sent in this session, earlier runs included.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.session.request
    }

    /// Why the view was rebuilt from the log at the start, if the snapshot was not used.
    #[must_use]
    pub fn rebuilt(&self) -> Option<&str> {
        self.rebuilt.as_deref()
    }

    /// Records that the session was opened without, because they are lost.
    #[must_use]
    pub fn unreadable(&self) -> &[Unreadable] {
        &self.unreadable
    }
}
