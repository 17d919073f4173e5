//! Step 9: results into the log, and a snapshot after a compaction.

use throughline_completion::{StopReason, called_as_text};
use throughline_conversation::{KeyOutcome, Message, Source, continue_note};

use crate::answered::Answered;
use crate::open_work::OpenCalls;
use crate::state::EngineState;
use crate::step_context::StepContext;

/// Records the results of an answer whose calls are all done. Returns what follows.
pub(crate) fn record_results(calls: OpenCalls, step: &mut StepContext<'_>) -> Answered {
    let OpenCalls { done, then, .. } = calls;
    let StepContext { state, turn } = step;
    let (results, offloaded): (Vec<_>, Vec<_>) =
        done.into_values().map(|settled| (settled.result, settled.offloaded)).unzip();
    state.session.note_offloaded(offloaded.into_iter().flatten());
    if !results.is_empty() {
        let message = Message::results(results);
        let tokens = state.frame().size(&state.session, &state.window).used();
        state.session.note_read_backs(&message, state.model.info.prices, tokens);
        state.session.append_message(turn, message, Source::Tools);
        state.session.record_key(None, KeyOutcome::Request);
    }
    then
}

/// Writes what is recorded, and a checkpoint and a snapshot where one is due.
pub(crate) async fn persist(step: &mut StepContext<'_>) {
    let StepContext { state, turn } = step;
    let EngineState { session, continuity, .. } = &mut **state;
    continuity.checkpoint_when_due(session, false).await;
    session.flush(turn).await;
    session.save_snapshot_when_due(turn).await;
}

/// What follows an answer without calls. One that does not end the turn gets a note, which is written with it: a request has to
/// end with the user's side.
pub(crate) fn after_answer(text: String, stop: StopReason, step: &mut StepContext<'_>) -> Answered {
    let StepContext { state, turn } = step;
    if stop == StopReason::Pause {
        state.session.append_message(turn, continue_note(), Source::Engine);
        return Answered::Request;
    }
    if state.session.asks_again(turn, &stop, &text) {
        return Answered::Request;
    }
    let is_tool = |name: &String| state.tools.active().iter().any(|tool| tool.name == *name);
    let stop = match called_as_text(&text).filter(is_tool) {
        Some(_) if stop == StopReason::EndTurn => StopReason::Other(StopReason::CALL_AS_TEXT.to_owned()),
        _ => stop,
    };
    Answered::Finished { text, stop }
}
