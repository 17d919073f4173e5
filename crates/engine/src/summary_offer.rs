//! The price of a summary by the session's model.

use throughline_compaction::{ModelSummaries, PricedSummary};
use throughline_completion::PrefixUse;
use throughline_conversation::LongPrompt;

use crate::frame::RequestFrame;
use crate::session::Session;

/// The summary that a model may write of the request. A model that keeps notes of its progress in its answers has written it
/// already.
pub(crate) fn offered(
    session: &Session,
    frame: RequestFrame<'_>,
    tokens: u64,
    cached: u64,
    cold: bool,
) -> Option<PricedSummary> {
    if let Some(prepared) = frame.model.prepared(session.ahead()) {
        // What is written already costs nothing more. Behind an expired cache nothing is asked for.
        let asks = !cold && frame.model.summaries() == ModelSummaries::Always;
        return match prepared.fits(session.view().entries()) {
            true => Some(PricedSummary { price: 0.0, steps: 0.0, is_optional: true }),
            false if asks => {
                let price = price(frame, tokens, cached, summary_output(session, frame));
                Some(PricedSummary { price, steps: 0.0, is_optional: false })
            }
            false => None,
        };
    }
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
pub(crate) fn summary_output(session: &Session, frame: RequestFrame<'_>) -> u64 {
    session.pace().summary().unwrap_or(frame.model.settings.compaction.progress_tokens)
}

/// The price of asking the model for a summary of a request of these tokens.
pub(crate) fn price(frame: RequestFrame<'_>, tokens: u64, cached: u64, output: u64) -> f64 {
    let prices = frame.model.info.prices;
    let input = PrefixUse { read: cached, write: 0, uncached: tokens.saturating_sub(cached) };
    prices.input(input) + prices.output * output as f64 * LongPrompt::output_factor(prices.long, tokens)
}

/// The price of the summary of a request whose cache has expired; 0 for one by rule.
pub(crate) fn cold_summary(session: &Session, frame: RequestFrame<'_>, tokens: u64) -> f64 {
    offered(session, frame, tokens, 0, true).map_or(0.0, |summary| summary.price)
}
