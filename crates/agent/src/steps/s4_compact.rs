//! Step 4: compact at the compact threshold, or early.

use throughline_compaction::Goal;
use throughline_conversation::EditReason;
use throughline_text::error_chain;

use super::s3_force_compact::Unblocked;
use crate::compact_error::CompactError;
use crate::compacting::Compaction;
use crate::decision::{Decision, EarlyCompaction, decide};
use crate::error::TurnError;
use crate::event::Event;
use crate::tail::TailNotes;

/// The conversation has the size that it will have in this request.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) tail: TailNotes,
}

pub(crate) async fn compact(
    unblocked: Unblocked,
    compaction: &mut Compaction<'_>,
) -> Result<Fitted, TurnError> {
    let Unblocked { tail, size } = unblocked;
    let Compaction { session, window, frame, turn } = &*compaction;
    let (model, turn) = (frame.model, *turn);
    let early = EarlyCompaction::of(session, window, model);
    let Decision::Compact(reason) = decide(&size, &window.limits, early) else {
        return Ok(Fitted { tail });
    };
    if reason == EditReason::CompactThreshold {
        compaction.announce();
    }
    if let Err(error) = compaction.attempt(reason, Goal::Deep).await {
        let ends = model.settings.compaction.strict && error.is_failure();
        if ends || matches!(error, CompactError::Stopped) {
            return Err(error.into());
        }
        let why = error_chain(&error);
        compaction.session.record_decision("compact", "not compacted", why.clone());
        turn.sink.emit(Event::NotCompacted { why });
    }
    Ok(Fitted { tail })
}
