//! Step 3: at the block threshold nothing is sent before the view has shrunk.

use throughline_conversation::EditReason;

use super::s2_measure::Measured;
use crate::compacting::Compaction;
use crate::decision::is_blocked;
use crate::error::TurnError;
use crate::tail::TailNotes;
use crate::window::RequestSize;

/// The request is below the block threshold.
#[derive(Debug, Clone)]
pub(crate) struct Unblocked {
    pub(crate) tail: TailNotes,
    pub(crate) size: RequestSize,
}

pub(crate) async fn force_compact(
    measured: Measured,
    compaction: &mut Compaction<'_>,
) -> Result<Unblocked, TurnError> {
    let Measured { tail, size } = measured;
    if !is_blocked(&size, compaction.window.limits()) {
        return Ok(Unblocked { tail, size });
    }
    if compaction.window.limits().should_compact(size.used()) {
        compaction.announce();
    }
    compaction.force(EditReason::BlockThreshold).await?;
    Ok(Unblocked { tail, size: compaction.size() })
}
