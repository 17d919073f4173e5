//! Step 9: results into the log, and a snapshot when the view was compacted.

use throughline_completion::StopReason;
use throughline_conversation::{Message, Source};

use super::s8_run_tools::Settled;
use crate::engine::{Engine, Wire};

/// What the engine says when a turn goes on that the provider has paused, or that was stopped.
pub(crate) const GO_ON: &str = include_str!("go_on.md");

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
            // The provider paused a long turn; a request has to end with the user's side.
            engine.say(wire, Message::user(GO_ON.trim_end()), Source::Engine);
            engine.flush(wire).await;
            Next::Again
        }
        stop => Next::Finished { text, stop },
    }
}
