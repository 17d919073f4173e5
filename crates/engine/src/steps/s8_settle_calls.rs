//! Step 8, around the tools: which calls are the caller's to run, and their results as the model sees them. Large ones are
//! offloaded.

use std::collections::BTreeMap;

use throughline_conversation::{Message, OffloadReceipt, ToolCall, ToolResult};
use throughline_deferral::{CALL_TOOL, deferred_call};
use throughline_ledger::StepKind;
use throughline_resultstore::{ResultKind, inline_room};
use throughline_tools::{ToolOutput, malformed};

use super::s7_record_answer::Recorded;
use crate::engine_tools::{self, EngineTool};
use crate::event::Event;
use crate::open_work::OpenCalls;
use crate::picture_check::check_pictures;
use crate::step_context::StepContext;

/// Answers the calls that need no tool of the caller: malformed and repeated ones, and those of the engine's own tools.
pub(crate) async fn begin_calls(recorded: Recorded, step: &mut StepContext<'_>) -> OpenCalls {
    let Recorded { message, stop } = recorded;
    let cut = stop.is_cut_off();
    let text = message.as_ref().map(Message::text).unwrap_or_default();
    let calls: Vec<ToolCall> =
        message.iter().flat_map(Message::tool_calls).map(|call| meant(call, step)).collect();
    let mut open = OpenCalls { calls: calls.clone(), done: BTreeMap::new(), stop, text };
    for call in &calls {
        let state = &mut *step.state;
        state.tools.mark_used(&call.name, state.session.turn());
        let ToolCall { id, name, input } = call.clone();
        step.turn.sink.emit(Event::ToolStarted { call_id: id, name, input });
    }
    let mut own = Vec::new();
    for (place, call) in calls.iter().enumerate() {
        if let Some(output) = malformed(call, cut) {
            open.done.insert(place, settle_call(step, call, output).await);
        } else if let Some(refusal) = step.state.tools.refuse_repeated(call) {
            open.done.insert(place, settle_call(step, call, refusal).await);
        } else if let Some(tool) = own_tool(&call.name, step) {
            own.push((place, call, tool));
        }
    }
    for (place, call, EngineTool { handler, .. }) in own {
        let output = handler(step, &call.input).await;
        step.state.tools.note_output(call, &output);
        open.done.insert(place, settle_call(step, call, output).await);
    }
    open
}

/// The engine's own tool of this name, if the model has it.
fn own_tool(name: &str, step: &StepContext<'_>) -> Option<&'static EngineTool> {
    let offered = name != CALL_TOOL || step.state.tools.has_call_tool();
    engine_tools::find(&step.state.continuity, name).filter(|_| offered)
}

/// The call that is run: of a deferred tool, that tool's own. The log has the call as the model wrote it.
fn meant(call: &ToolCall, step: &StepContext<'_>) -> ToolCall {
    let deferred = step.state.tools.has_call_tool().then(|| deferred_call(call)).flatten();
    deferred.unwrap_or_else(|| call.clone())
}

/// Bytes of a result that is shown although it could not be stored. The window is protected even without a store.
fn room(step: &StepContext<'_>) -> usize {
    let state = &*step.state;
    let used = state.frame().size(&state.session, &state.window).used();
    inline_room(state.window.limits().effective_window.saturating_sub(used))
}

/// Makes the result of a call from its output, and reports it.
pub(crate) async fn settle_call(
    step: &mut StepContext<'_>,
    call: &ToolCall,
    output: ToolOutput,
) -> (ToolResult, Option<OffloadReceipt>) {
    let mut output = output;
    step.record_changes(std::mem::take(&mut output.changes)).await;
    let state = &mut *step.state;
    let at = state.session.now();
    let kind = match StepKind::of_call(call, None) {
        StepKind::Read => ResultKind::File,
        _ => ResultKind::Other,
    };
    let ingested = state.tools.results().ingest_as(kind, &call.name, &call.id, &output.bytes, at).await;
    let (content, offloaded) = match ingested {
        Ok(ingested) => {
            if ingested.offloaded.is_some() && state.model.compactor.policy().lists_session_names() {
                state.session.note_whole(&call.id, &String::from_utf8_lossy(&output.bytes));
            }
            (ingested.text, ingested.offloaded)
        }
        Err(error) => {
            let room = room(step);
            let state = &mut *step.state;
            state.session.degrade(&step.turn, "result store", "bounded inline result", &error);
            (state.tools.results().inline_bounded(&output.bytes, room), None)
        }
    };
    let pictures = check_pictures(step, &call.name, std::mem::take(&mut output.images), at).await;
    step.turn.sink.emit(Event::ToolFinished {
        call_id: call.id.clone(),
        name: call.name.clone(),
        bytes: output.bytes.len() as u64,
        is_error: output.is_error,
        output: content.clone(),
        offloaded: offloaded.clone(),
    });
    let texts = std::iter::once(content).chain(pictures.notes).filter(|text| !text.trim().is_empty());
    let content = texts.collect::<Vec<_>>().join("\n");
    // Every call needs a result, and no provider accepts an empty text.
    let content = if content.is_empty() { "[no output]".to_owned() } else { content };
    let result =
        ToolResult { call_id: call.id.clone(), content, images: pictures.shown, is_error: output.is_error };
    (result, offloaded)
}
