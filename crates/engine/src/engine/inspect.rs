//! What a caller can read of an engine between operations.

use throughline_completion::{CompletionRequest, ModelError};
use throughline_continuity::Unreadable;
use throughline_conversation::{SessionId, View};
use throughline_documents::Handoff;

use crate::decision::is_blocked;
use crate::engine::ContextEngine;

impl ContextEngine {
    /// The session's name.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        self.state.session.id()
    }

    /// The view that the model sees.
    #[must_use]
    pub fn view(&self) -> &View {
        self.state.session.view()
    }

    /// The request that would be sent now: system prompt, tools, messages and documents. Notes about the window and cache
    /// breakpoints are added when it is sent. Without a system prompt until [`Operation::prepare_system`](crate::Operation::prepare_system) or the first turn.
    #[must_use]
    pub fn shown_request(&self) -> CompletionRequest {
        self.state.frame().next_request(&self.state.session, &self.state.window)
    }

    /// Returns true if this error of the open request is guessed to be an overflow: sending the same again does not help.
    #[must_use]
    pub fn is_guessed_overflow(&self, error: &ModelError) -> bool {
        self.state.window.first_guess(error, self.state.size().raw).is_some()
    }

    /// Returns true if no further message may be accepted before the view has shrunk.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        is_blocked(&self.state.size(), self.state.window.limits())
    }

    /// Number of requests in a row that brought no progress, if this turn should end for them.
    #[must_use]
    pub fn stalled(&self) -> Option<u64> {
        self.state.tools.stalled()
    }

    /// Number of the newest exchange; 0 before the first message of the user.
    #[must_use]
    pub fn exchange(&self) -> u64 {
        self.state.session.exchange().0
    }

    /// Requests sent in this session, earlier runs included.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.state.session.requests()
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

    /// The handoff of the session, for the next agent or session that continues it.
    pub async fn handoff(&self) -> Handoff {
        self.state.continuity.handoff(&self.state.session).await
    }
}
