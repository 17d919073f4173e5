//! Step 9: results into the log, and a snapshot when the view was compacted.

use throughline_completion::StopReason;
use throughline_continuity::continue_note;
use throughline_conversation::Source;

use super::s8_run_tools::Settled;
use crate::engine::{Engine, Wire};

/// What comes after a request.
#[derive(Debug)]
pub(crate) enum Next {
    /// The model waits for results: ask again.
    Again,
    /// The turn is over.
    Finished {
        /// The model's last text.
        text: String,
        /// Why it stopped.
        stop: StopReason,
    },
}

pub(crate) async fn persist(settled: Settled, engine: &mut Engine, wire: &Wire<'_>) -> Next {
    let Settled { results, stop, text } = settled;
    let again = results.is_some();
    if let Some(message) = results {
        engine.say(wire, message, Source::Tools);
    }
    engine.checkpoint_when_due(false).await;
    engine.flush(wire).await;
    if engine.unsaved_snapshot && engine.journal.waiting() == 0 {
        engine.save_snapshot(wire).await;
    }
    match stop {
        _ if again => Next::Again,
        StopReason::Pause => {
            engine.say(wire, continue_note(), Source::Engine);
            engine.flush(wire).await;
            Next::Again
        }
        stop => Next::Finished { text, stop },
    }
}
