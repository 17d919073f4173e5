//! What a caller can read of an agent between turns.

use std::time::Duration;

use throughline_budget::ContextBudget;
use throughline_compaction::WaitingTerms;
use throughline_completion::{CompletionRequest, ModelInfo};
use throughline_continuity::Unreadable;
use throughline_conversation::{SessionId, View};
use throughline_documents::Handoff;
use throughline_engine::{ChangeError, CompactionPoints, ContextReport, PinReport};

use crate::agent::Agent;

impl Agent {
    /// The session's name.
    #[must_use]
    pub fn session(&self) -> &SessionId {
        self.parts.engine.session()
    }

    /// The facts of the model that answers now.
    #[must_use]
    pub fn model(&self) -> &ModelInfo {
        self.parts.engine.model()
    }

    /// The view that the model sees.
    #[must_use]
    pub fn view(&self) -> &View {
        self.parts.engine.view()
    }

    /// How full the window is now.
    #[must_use]
    pub fn budget(&self) -> ContextBudget {
        self.parts.engine.budget()
    }

    /// The request that would be sent now: system prompt, tools, messages and documents. Notes about the window and cache
    /// breakpoints are added when it is sent. Without a system prompt until [`Self::prepare`] or the first turn.
    #[must_use]
    pub fn next_request(&self) -> CompletionRequest {
        self.parts.engine.shown_request()
    }

    /// Returns true if no further message may be accepted before the view has shrunk.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.parts.engine.is_blocked()
    }

    /// Number of the newest exchange; 0 before the first message of the user.
    #[must_use]
    pub fn exchange(&self) -> u64 {
        self.parts.engine.exchange()
    }

    /// Requests sent in this session, earlier runs included.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.parts.engine.requests()
    }

    /// Why the view was rebuilt from the log at the start, if the snapshot was not used.
    #[must_use]
    pub fn rebuilt(&self) -> Option<&str> {
        self.parts.engine.rebuilt()
    }

    /// Records that the session was opened without, because they are lost.
    #[must_use]
    pub fn unreadable(&self) -> &[Unreadable] {
        self.parts.engine.unreadable()
    }

    /// Reports what fills the window, with the `most` largest components. Changes nothing and asks no model.
    pub async fn context(&self, most: usize) -> ContextReport {
        self.parts.engine.report(most).await
    }

    /// The price of continuing a session whose prompt cache has expired, unchanged and after a compaction, in one sentence.
    /// `None`: an earlier run sent nothing to this model, its cache is warm, or the policy does not decide by price.
    #[must_use]
    pub fn continuing_price(&self) -> Option<String> {
        self.parts.engine.continuing_price()
    }

    /// Tokens of a request at which the view is compacted.
    #[must_use]
    pub fn compaction_points(&self) -> CompactionPoints {
        self.parts.engine.compaction_points()
    }

    /// The pins of the session.
    #[must_use]
    pub fn pins(&self) -> PinReport {
        self.parts.engine.pins()
    }

    /// An error about pins in the tokens of the window's figures.
    #[must_use]
    pub fn shown_error(&self, error: ChangeError) -> ChangeError {
        self.parts.engine.shown_error(error)
    }

    /// Tokens that all pins together may have, by the session's counter.
    #[must_use]
    pub fn pin_limit(&self) -> u64 {
        self.parts.engine.pin_limit()
    }

    /// Time until the provider drops what it has in its prompt cache of this session, if nothing is sent; `None`: this run
    /// has sent nothing, or the cache has expired.
    #[must_use]
    pub fn cache_expires_in(&self) -> Option<Duration> {
        self.parts.engine.cache_expires_in()
    }

    /// What is cheapest for the session while its user is away, and the expected price of each choice. `may_warm`: the cache
    /// may be kept warm once more. `None`: nothing is cached, or the policy does not decide by price.
    #[must_use]
    pub fn decide_idle(&self, may_warm: bool) -> Option<WaitingTerms> {
        self.parts.engine.decide_idle(may_warm)
    }

    /// The handoff of the session, for the next agent or session that continues it.
    pub async fn handoff(&self) -> Handoff {
        self.parts.engine.handoff().await
    }
}
