//! Step 8, around the tools: which calls are the caller's to run, and their results as the model sees them. Large ones are
//! offloaded.

use std::collections::BTreeMap;

use throughline_conversation::{OffloadReceipt, ToolCall, ToolResult, missing_result};
use throughline_deferral::CALL_TOOL;
use throughline_ledger::StepKind;
use throughline_resultstore::{ResultKind, inline_room};
use throughline_tools::{ToolOutput, malformed};

use super::s7_record_answer::Recorded;
use super::s9_persist::after_answer;
use crate::answered::Answered;
use crate::engine_tools::{self, EngineTool};
use crate::event::Event;
use crate::open_work::{DueCall, OpenCalls, SettledCall};
use crate::picture_check::check_pictures;
use crate::state::EngineState;
use crate::step_context::StepContext;

/// Says which calls of a recorded answer are the caller's, and what follows an answer without calls. The key of the operation is
/// recorded with it.
pub(crate) fn sort_calls(recorded: Recorded, step: &mut StepContext<'_>) -> OpenCalls {
    let Recorded { message, stop } = recorded;
    let message = message.as_ref().map(|(place, message)| (*place, message));
    let tools = &step.state.tools;
    let calls: Vec<ToolCall> =
        message.iter().flat_map(|(_, message)| message.tool_calls()).map(|call| tools.meant(call)).collect();
    let due = due_calls(&calls, stop.is_cut_off(), None, step.state);
    let then = match calls.is_empty() {
        true => after_answer(message.map(|(_, message)| message.text()).unwrap_or_default(), stop, step),
        false => Answered::Request,
    };
    let open = OpenCalls { calls, due, done: BTreeMap::new(), begun: false, then };
    step.state.session.record_key(message, open.outcome());
    open
}

/// The calls that need no tool of the caller, by place: malformed and repeated ones, and those of the engine's own tools. `asked`:
/// ids of the calls that the caller was asked for before, and no others. `cut`: the answer was cut off.
pub(crate) fn due_calls(
    calls: &[ToolCall],
    cut: bool,
    asked: Option<&[String]>,
    state: &mut EngineState,
) -> BTreeMap<usize, DueCall> {
    let mut due = BTreeMap::new();
    for (place, call) in calls.iter().enumerate() {
        let refused = malformed(call, cut).or_else(|| state.tools.refuse_repeated(call));
        let own = own_tool(&call.name, state);
        let is_asked = match asked {
            Some(asked) => asked.contains(&call.id),
            None => refused.is_none() && own.is_none(),
        };
        if is_asked {
            continue;
        }
        let answer = match (refused, own) {
            (Some(refusal), _) => DueCall::Refused(refusal),
            (None, Some(tool)) => DueCall::Own(tool),
            // It was refused for calls that this process does not know of.
            (None, None) => DueCall::Refused(ToolOutput::error(missing_result(&call.id).content)),
        };
        due.insert(place, answer);
    }
    due
}

/// Reports calls as begun.
pub(crate) fn report_begun(calls: &[ToolCall], step: &mut StepContext<'_>) {
    for call in calls {
        let state = &mut *step.state;
        state.tools.mark_used(&call.name, state.session.turn());
        let ToolCall { id, name, input } = call.clone();
        step.turn.sink.emit(Event::ToolStarted { call_id: id, name, input });
    }
}

/// Answers a call that needs no tool of the caller.
pub(crate) async fn answer_due(call: &ToolCall, due: DueCall, step: &mut StepContext<'_>) -> SettledCall {
    let output = match due {
        DueCall::Refused(output) => output,
        DueCall::Own(EngineTool { handler, .. }) => {
            let output = handler(step, &call.input).await;
            step.state.tools.note_output(call, &output);
            output
        }
    };
    let (result, offloaded) = settle_call(step, call, output).await;
    SettledCall { result, offloaded, by_caller: false, recorded: false }
}

/// The engine's own tool of this name, if the model has it.
fn own_tool(name: &str, state: &EngineState) -> Option<&'static EngineTool> {
    let offered = name != CALL_TOOL || state.tools.has_call_tool();
    engine_tools::find(&state.continuity, name).filter(|_| offered)
}

/// Bytes of a result that is shown although it could not be stored. The window is protected even without a store.
fn room(step: &StepContext<'_>) -> usize {
    let state = &*step.state;
    let used = state.frame().size(&state.session, &state.window).used();
    inline_room(state.window.limits().effective_window.saturating_sub(used))
}

/// The output of a call as the model sees it: a large one is stored, and shown in part. `call`: the tool and the call's id.
pub(crate) async fn shown_output(
    step: &mut StepContext<'_>,
    kind: ResultKind,
    call: (&str, &str),
    bytes: &[u8],
) -> (String, Option<OffloadReceipt>) {
    let state = &mut *step.state;
    let at = state.session.now();
    match state.tools.results().ingest_as(kind, call.0, call.1, bytes, at).await {
        Ok(ingested) => (ingested.text, ingested.offloaded),
        Err(error) => {
            let room = room(step);
            let state = &mut *step.state;
            state.session.degrade(&step.turn, "result store", "bounded inline result", &error);
            (state.tools.results().inline_bounded(bytes, room), None)
        }
    }
}

/// Makes the result of a call from its output, and reports it.
pub(crate) async fn settle_call(
    step: &mut StepContext<'_>,
    call: &ToolCall,
    output: ToolOutput,
) -> (ToolResult, Option<OffloadReceipt>) {
    let mut output = output;
    let at = step.state.session.now();
    let kind = match StepKind::of_call(call, None) {
        StepKind::Read => ResultKind::File,
        _ => ResultKind::Other,
    };
    let (content, offloaded) = shown_output(step, kind, (&call.name, &call.id), &output.bytes).await;
    if offloaded.is_some() && step.state.model.compactor.policy().lists_session_names() {
        step.state.session.note_whole(&call.id, &String::from_utf8_lossy(&output.bytes));
    }
    let pictures = check_pictures(step, &call.name, std::mem::take(&mut output.images), at).await;
    // Behind all that waits: if the future is dropped, the repeated call is recorded once.
    step.record_changes(std::mem::take(&mut output.changes)).await;
    for used in std::mem::take(&mut output.used) {
        step.state.session.record_usage(&step.turn, used);
    }
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
