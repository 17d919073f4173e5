//! Who writes the summary of a compaction: a model, or a rule.

use throughline_compaction::ModelSummaries;
use throughline_conversation::EditReason;

use crate::frame::RequestFrame;
use crate::pricing;
use crate::session::Session;
use crate::window::Window;

/// Returns true if a model is asked for the summary of a compaction without instructions of its own.
pub(crate) fn asks_model(
    session: &Session,
    window: &Window,
    frame: RequestFrame<'_>,
    reason: &EditReason,
) -> bool {
    let model = frame.model;
    let may_wait = matches!(reason, EditReason::Manual | EditReason::Idle);
    if !may_wait && let Some(prepared) = model.prepared(session.ahead()) {
        // No compaction waits: a summary is ready, or it is written by rule.
        return model.summaries() != ModelSummaries::Never && prepared.fits(session.view().entries());
    }
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
