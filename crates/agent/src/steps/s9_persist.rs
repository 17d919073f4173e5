//! Step 9: results into the log, and a snapshot after a compaction.

use throughline_completion::StopReason;
use throughline_continuity::continue_note;
use throughline_conversation::Source;

use super::s8_run_tools::Settled;
use crate::continuity_ports::ContinuityPorts;
use crate::session::Session;
use crate::turn_context::TurnContext;

/// What follows a request.
#[derive(Debug)]
pub(crate) enum Next {
    /// Another request: the model waits for results.
    Again,
    /// The turn ends.
    Finished {
        /// The model's last text.
        text: String,
        /// Why it stopped.
        stop: StopReason,
    },
}

pub(crate) async fn persist(
    settled: Settled,
    session: &mut Session,
    continuity: &ContinuityPorts,
    turn: &TurnContext<'_>,
) -> Next {
    let Settled { results, stop, text } = settled;
    let again = results.is_some();
    if let Some(message) = results {
        session.append_message(turn, message, Source::Tools);
    }
    continuity.checkpoint_when_due(session, false).await;
    session.flush(turn).await;
    session.save_snapshot_when_due(turn).await;
    match stop {
        _ if again => Next::Again,
        StopReason::Pause => {
            // The provider paused a long turn.
            session.append_message(turn, continue_note(), Source::Engine);
            session.flush(turn).await;
            Next::Again
        }
        stop => Next::Finished { text, stop },
    }
}
