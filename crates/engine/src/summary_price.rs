//! What users are shown of the summary of the next compaction.

use throughline_compaction::ModelSummaries;
use throughline_conversation::EditReason;

use crate::engine::ContextEngine;
use crate::summary_choice::asks_model;
use crate::summary_offer::price;

/// What a summary by the session's model costs now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SummaryPrice {
    /// In token-equivalents: multiples of the price of one uncached token of input.
    pub price: f64,
    /// How long the user would wait for it, by the answers so far; `None`: none has shown it.
    pub ms: Option<u64>,
}

impl ContextEngine {
    /// What a summary of this many tokens by the session's model costs now, if the user asks for it; `None`: no model writes
    /// summaries.
    #[must_use]
    pub fn summary_price(&self, output: u64) -> Option<SummaryPrice> {
        let (session, window, frame) = (&self.state.session, &self.state.window, self.state.frame());
        if frame.model.summaries_on_request() == ModelSummaries::Never {
            return None;
        }
        let cached = frame.cached_prefix(session, window).map_or(0, |prefix| prefix.cached);
        let tokens = self.state.size().used();
        let price = price(frame, tokens, cached.min(tokens), output);
        Some(SummaryPrice { price, ms: session.pace().ms_of(output) })
    }

    /// Returns true if a compaction at the user's request asks a model for its summary.
    #[must_use]
    pub fn asks_for_summary(&self) -> bool {
        let (session, window, frame) = (&self.state.session, &self.state.window, self.state.frame());
        asks_model(session, window, frame, &EditReason::Manual)
    }
}
