//! Step 4: compact at the compact threshold, or early: when it pays by price, or when a batch of cuts is due.

use throughline_compaction::{CompactionError, Goal, price_sentence};
use throughline_conversation::EditReason;
use throughline_text::error_chain;

use super::s3_force_compact::Unblocked;
use crate::compact_error::CompactError;
use crate::compacting::Compaction;
use crate::decision::{Decision, EarlyCompaction, decide};
use crate::error::TurnError;
use crate::event::Event;
use crate::pricing;
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
    let mut price = pricing::decide(session, window, *frame, &size);
    let pays = price.as_ref().is_some_and(|terms| terms.verdict.compacts());
    let early = EarlyCompaction::of(session, window, model).or_pays(pays);
    let Decision::Compact(reason) = decide(&size, window.limits(), early) else {
        if price.is_some() {
            compaction.session.note_price(price);
        }
        return Ok(Fitted { tail });
    };
    if compaction.waits_for_summary() {
        compaction.session.note_price(price);
        return Ok(Fitted { tail });
    }
    if reason == EditReason::CompactThreshold {
        compaction.announce();
    }
    compaction.session.note_price(price.clone());
    let compacted = compaction.attempt(reason.clone(), Goal::Deep).await;
    if let Some(terms) = &mut price {
        let after = compaction.size();
        let Compaction { session, window, .. } = &mut *compaction;
        match (&compacted, &model.settings.pricing) {
            (Ok(_), Some(policy)) => pricing::learn(terms, policy, session, window, &after),
            (Err(CompactError::Compaction(CompactionError::NothingToGain { .. })), _) => {
                pricing::learn_failure(terms, session, window, &after);
            }
            _ => {}
        }
        if compacted.is_ok() && reason == EditReason::Early && pays {
            let line = format!("compacted: {}", price_sentence(terms));
            session.log_decision(turn, "compact", line, "the compaction pays");
        }
    }
    compaction.session.note_price(price);
    if let Err(error) = compacted {
        let ends = model.settings.compaction.strict && error.is_failure();
        if ends || matches!(error, CompactError::Stopped | CompactError::SummaryWanted) {
            return Err(error.into());
        }
        let why = error_chain(&error);
        compaction.session.record_decision("compact", "not compacted", why.clone());
        turn.sink.emit(Event::NotCompacted { why });
    }
    Ok(Fitted { tail })
}
