//! Step 3: at the block threshold nothing is sent before the view has shrunk.

use throughline_conversation::EditReason;

use super::s2_measure::Sized;
use crate::compacting;
use crate::engine::{Engine, Wire};
use crate::error::TurnError;

/// The request fits below the block threshold.
#[derive(Debug)]
pub(crate) struct Unblocked {
    pub(crate) tail: Vec<String>,
    pub(crate) used: u64,
}

pub(crate) async fn force_compact(
    sized: Sized,
    engine: &mut Engine,
    wire: &Wire<'_>,
) -> Result<Unblocked, TurnError> {
    let Sized { tail, budget, upper } = sized;
    if upper < compacting::block_level(engine) {
        return Ok(Unblocked { tail, used: budget.used_tokens() });
    }
    if engine.limits.should_compact(budget.used_tokens()) {
        compacting::announce(engine, wire);
    }
    compacting::force(engine, wire, EditReason::BlockThreshold).await?;
    let used = engine.measure().0.used_tokens();
    Ok(Unblocked { tail, used })
}
