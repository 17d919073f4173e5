//! Whether a request may be sent as measured, or the view has to shrink first.

use throughline_budget::Limits;
use throughline_conversation::EditReason;

use crate::active_model::ActiveModel;
use crate::session::Session;
use crate::window::{RequestSize, Window, block_level};

/// What a measured request calls for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decision {
    /// It may be sent.
    Send,
    /// A compaction is due. The request may be sent if it fails.
    Compact(EditReason),
    /// Nothing may be sent before the view has shrunk.
    Block,
}

/// What allows a compaction below the compact threshold.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EarlyCompaction {
    /// The strategy chain has a batch of cuts that does not wait for a full window.
    batch_due: bool,
    /// Used tokens from which on the view is compacted now. Only a new user message sets it.
    threshold: Option<u64>,
    /// It pays by price.
    pays: bool,
}

impl EarlyCompaction {
    pub(crate) fn of(session: &Session, window: &Window, model: &ActiveModel) -> Self {
        let threshold = model.settings.early.tokens(window.total(), window.reserved());
        Self {
            batch_due: model.compactor.batch_due(session.view(), session.is_fresh_turn()),
            threshold: threshold.filter(|_| session.is_fresh_turn()),
            pays: false,
        }
    }

    /// The same if the price decides for a compaction.
    pub(crate) fn or_pays(self, pays: bool) -> Self {
        Self { pays, ..self }
    }
}

/// Decides about a measured request. The block level is compared with the upper bound, because a request that does
/// not fit fails; all other thresholds are compared with the used tokens.
pub(crate) fn decide(size: &RequestSize, limits: &Limits, early: EarlyCompaction) -> Decision {
    if size.upper >= block_level(limits) {
        return Decision::Block;
    }
    if limits.should_compact(size.used()) {
        return Decision::Compact(EditReason::CompactThreshold);
    }
    let early = early.pays || early.batch_due || early.threshold.is_some_and(|tokens| size.used() >= tokens);
    if early { Decision::Compact(EditReason::Early) } else { Decision::Send }
}

/// Returns true if nothing may be sent before the view has shrunk.
pub(crate) fn is_blocked(size: &RequestSize, limits: &Limits) -> bool {
    decide(size, limits, EarlyCompaction::default()) == Decision::Block
}

#[cfg(test)]
mod tests;
