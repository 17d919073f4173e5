//! Step 9: results into the log, and a snapshot after a compaction.

use throughline_completion::{StopReason, called_as_text};
use throughline_continuity::continue_note;
use throughline_conversation::{Message, Source};

use crate::open_work::OpenCalls;
use crate::state::EngineState;
use crate::step_context::StepContext;

/// What follows a request.
#[derive(Debug)]
pub(crate) enum Followup {
    /// Another request: the model waits for results, or the provider paused a long turn.
    Request,
    /// The turn ends.
    Finished {
        /// The model's last text.
        text: String,
        /// Why it stopped.
        stop: StopReason,
    },
}

/// Records the results of an answer whose calls are all done.
pub(crate) async fn persist(calls: OpenCalls, step: &mut StepContext<'_>) -> Followup {
    let OpenCalls { done, stop, text, .. } = calls;
    let StepContext { state, turn } = step;
    let (results, offloaded): (Vec<_>, Vec<_>) = done.into_values().unzip();
    state.session.note_offloaded(offloaded.into_iter().flatten());
    let again = !results.is_empty();
    if again {
        let message = Message::results(results);
        let tokens = state.frame().size(&state.session, &state.window).used();
        state.session.note_read_backs(&message, state.model.info.prices, tokens);
        state.session.append_message(turn, message, Source::Tools);
    }
    let EngineState { session, continuity, .. } = &mut **state;
    continuity.checkpoint_when_due(session, false).await;
    session.flush(turn).await;
    session.save_snapshot_when_due(turn).await;
    if again {
        return Followup::Request;
    }
    let paused = stop == StopReason::Pause;
    if paused {
        session.append_message(turn, continue_note(), Source::Engine);
    }
    if paused || session.asks_again(turn, &stop, &text) {
        session.flush(turn).await;
        return Followup::Request;
    }
    let is_tool = |name: &String| state.tools.active().iter().any(|tool| tool.name == *name);
    let stop = match called_as_text(&text).filter(is_tool) {
        Some(_) if stop == StopReason::EndTurn => StopReason::Other(StopReason::CALL_AS_TEXT.to_owned()),
        _ => stop,
    };
    Followup::Finished { text, stop }
}
