//! Step 4: compact when the threshold is reached, or when the moment is good.

use throughline_compaction::Goal;
use throughline_conversation::EditReason;
use throughline_text::error_chain;

use super::s3_force_compact::Unblocked;
use crate::engine::{Engine, Wire};
use crate::error::TurnError;
use crate::{CompactError, Event, compacting};

/// The conversation is as large as it will be in this request.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) tail: Vec<String>,
}

pub(crate) async fn compact(
    unblocked: Unblocked,
    engine: &mut Engine,
    wire: &Wire<'_>,
) -> Result<Fitted, TurnError> {
    let Unblocked { tail, used } = unblocked;
    let Some(reason) = due(engine, used) else {
        return Ok(Fitted { tail });
    };
    if reason == EditReason::CompactThreshold {
        compacting::announce(engine, wire);
    }
    if let Err(error) = compacting::attempt(engine, wire, reason, Goal::Deep).await {
        let ends = engine.parts.settings.compaction.strict && error.is_failure();
        if ends || matches!(error, CompactError::Stopped) {
            return Err(error.into());
        }
        let why = error_chain(&error);
        engine.decide("compact", "not compacted", why.clone());
        wire.sink.emit(Event::NotCompacted { why });
    }
    Ok(Fitted { tail })
}

fn due(engine: &Engine, used: u64) -> Option<EditReason> {
    if engine.limits.should_compact(used) {
        return Some(EditReason::CompactThreshold);
    }
    if engine.parts.compactor.batch_due(&engine.view, engine.fresh_turn) {
        return Some(EditReason::Opportune);
    }
    let settings = &engine.parts.settings;
    let early = settings.early.tokens(engine.window, settings.max_output_tokens)?;
    (engine.fresh_turn && used >= early).then_some(EditReason::Opportune)
}
