//! Who writes the summary of a compaction: a model, or a rule.

use throughline_compaction::ModelSummaries;
use throughline_conversation::EditReason;

use crate::frame::RequestFrame;
use crate::pricing;
use crate::session::Session;
use crate::window::Window;

/// Returns true if a compaction for this reason may wait for a model where summaries are written ahead.
pub(crate) fn may_wait(reason: &EditReason) -> bool {
    matches!(reason, EditReason::Manual | EditReason::Idle)
}

/// Returns true if a model is asked for the summary of a compaction without instructions of its own.
pub(crate) fn asks_model(
    session: &Session,
    window: &Window,
    frame: RequestFrame<'_>,
    reason: &EditReason,
) -> bool {
    let model = frame.model;
    if !may_wait(reason)
        && let Some(prepared) = model.prepared(session.ahead())
    {
        // No compaction waits: a summary is ready, or it is written by rule.
        return model.summaries() != ModelSummaries::Never && prepared.fits(session.view().entries());
    }
    let is_requested = *reason == EditReason::Manual;
    match if is_requested { model.summaries_on_request() } else { model.summaries() } {
        ModelSummaries::Never => false,
        ModelSummaries::Always => true,
        ModelSummaries::WherePaid if is_requested || model.settings.pricing.is_none() => {
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
