//! Who writes the summary of a compaction: a model, or a rule.

use throughline_compaction::{ModelSummaries, PricedSummary};
use throughline_completion::PrefixUse;
use throughline_conversation::{EditReason, LongPrompt};

use crate::engine::ContextEngine;
use crate::frame::RequestFrame;
use crate::pricing;
use crate::session::Session;
use crate::window::Window;

/// What a summary by the session's model costs now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SummaryPrice {
    /// In token-equivalents: multiples of the price of one uncached token of input.
    pub price: f64,
    /// How long the user would wait for it, by the answers so far; `None`: none has shown it.
    pub ms: Option<u64>,
}

impl ContextEngine {
    /// What a summary of this many tokens by the session's model costs now; `None`: no model writes summaries, or its last one
    /// could not be used.
    #[must_use]
    pub fn summary_price(&self, output: u64) -> Option<SummaryPrice> {
        let (session, window, frame) = (&self.state.session, &self.state.window, self.state.frame());
        if frame.model.summaries() == ModelSummaries::Never {
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

/// Returns true if a model is asked for the summary of a compaction without instructions of its own.
pub(crate) fn asks_model(
    session: &Session,
    window: &Window,
    frame: RequestFrame<'_>,
    reason: &EditReason,
) -> bool {
    let model = frame.model;
    match model.summaries() {
        ModelSummaries::Never => false,
        ModelSummaries::Always => true,
        ModelSummaries::WherePaid if *reason == EditReason::Manual || model.settings.pricing.is_none() => {
            !pricing::is_cold(session, frame)
        }
        ModelSummaries::WherePaid => match session.pending_price() {
            Some(terms) => terms.by_model,
            None => {
                let size = frame.size(session, window);
                pricing::decide(session, window, frame, &size).is_some_and(|terms| terms.by_model)
            }
        },
    }
}

/// The summary that a model may write of the request. A model that keeps notes of its progress in its answers has written it
/// already.
pub(crate) fn offered(
    session: &Session,
    frame: RequestFrame<'_>,
    tokens: u64,
    cached: u64,
    cold: bool,
) -> Option<PricedSummary> {
    let is_optional = match frame.model.summaries() {
        ModelSummaries::Never => return None,
        ModelSummaries::WherePaid if cold || session.has_progress_note() => return None,
        ModelSummaries::WherePaid => true,
        ModelSummaries::Always => false,
    };
    let output = summary_output(session, frame);
    let (price, steps) = (price(frame, tokens, cached, output), session.pace().steps(output));
    Some(PricedSummary { price, steps, is_optional })
}

/// Tokens of output of a summary: as many as the last one took, with its thinking.
fn summary_output(session: &Session, frame: RequestFrame<'_>) -> u64 {
    session.pace().summary().unwrap_or(frame.model.settings.compaction.progress_tokens)
}

/// The price of asking the model for a summary of a request of these tokens.
fn price(frame: RequestFrame<'_>, tokens: u64, cached: u64, output: u64) -> f64 {
    let prices = frame.model.info.prices;
    let input = PrefixUse { read: cached, write: 0, uncached: tokens.saturating_sub(cached) };
    prices.input(input) + prices.output * output as f64 * LongPrompt::output_factor(prices.long, tokens)
}

/// The price of the summary of a request whose cache has expired; 0 for one by rule.
pub(crate) fn cold_summary(session: &Session, frame: RequestFrame<'_>, tokens: u64) -> f64 {
    offered(session, frame, tokens, 0, true).map_or(0.0, |summary| summary.price)
}
