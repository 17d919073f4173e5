//! What becomes of work in the background in a turn.

use throughline_engine::{TurnContext, TurnError};

use crate::model_loop::ModelLoop;

/// What follows when the model ends its turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The turn ends.
    Nothing,
    /// The model learns of work that has ended.
    Ended,
    Cancelled,
}

/// Reports to the model the work that has ended since the last boundary.
pub(crate) async fn add_ended(agent: &mut ModelLoop, turn: &TurnContext<'_>) -> Result<(), TurnError> {
    let Some(work) = agent.background.clone() else { return Ok(()) };
    let ended = work.take_ended().await;
    Ok(agent.operation(turn).note_ended(ended).await?)
}

/// Waits for the work that must not outlive the turn.
pub(crate) async fn settle(agent: &ModelLoop, turn: &TurnContext<'_>) -> Settled {
    let Some(work) = &agent.background else { return Settled::Nothing };
    tokio::select! {
        biased;
        more = work.settle() => if more { Settled::Ended } else { Settled::Nothing },
        () = turn.cancel.cancelled() => Settled::Cancelled,
    }
}
