//! Step 8: the tools, side by side. Results are reported as they arrive and shown to the model in call order; large ones
//! are offloaded.

use std::collections::BTreeMap;
use std::sync::Arc;

use throughline_completion::StopReason;
use throughline_conversation::{Message, OffloadReceipt, ToolCall, ToolResult};
use throughline_ledger::StepKind;
use throughline_resultstore::{ResultKind, inline_room};
use throughline_tools::{RunningCalls, ToolContext, ToolOutput, malformed};

use super::s7_stream_response::Responded;
use crate::coming_change::ChangeQueue;
use crate::engine_tools::{self, EngineTool, ToolScope};
use crate::event::Event;
use crate::file_changes::record_changes;
use crate::frame::RequestFrame;
use crate::picture_check::check_pictures;

/// Every call of the answer has a result.
#[derive(Debug)]
pub(crate) struct Settled {
    /// The message with the results; `None` if there was no call.
    pub(crate) results: Option<Message>,
    pub(crate) stop: StopReason,
    /// The model's text, for the caller.
    pub(crate) text: String,
}

pub(crate) async fn run_tools(responded: Responded, scope: &mut ToolScope<'_>) -> Settled {
    let Responded { message, stop, .. } = responded;
    let text = message.as_ref().map(Message::text).unwrap_or_default();
    let calls: Vec<ToolCall> = message.iter().flat_map(|message| message.tool_calls().cloned()).collect();
    if calls.is_empty() {
        return Settled { results: None, stop, text };
    }
    for call in &calls {
        scope.tools.deferral.mark_used(&call.name, scope.session.turn);
        let ToolCall { id, name, input } = call.clone();
        scope.turn.sink.emit(Event::ToolStarted { call_id: id, name, input });
    }
    let mut done = BTreeMap::new();
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for (place, call) in calls.iter().enumerate() {
        if let Some(output) = malformed(call) {
            done.insert(place, settle(scope, call, output).await);
        } else if let Some(refusal) =
            scope.tools.repetition.as_mut().and_then(|guard| guard.observe(call).refusal())
        {
            done.insert(place, settle(scope, call, refusal).await);
        } else if let Some(tool) = engine_tools::find(scope.continuity, &call.name) {
            own.push((place, call, tool));
        } else {
            others.push((place, call));
        }
    }
    let (history, mut coming) = ChangeQueue::new();
    let context = ToolContext {
        cancel: scope.turn.cancel.clone(),
        history: Some(Arc::new(history)),
        ..ToolContext::new(&scope.tools.workspace)
    };
    let registry = Arc::clone(&scope.tools.registry);
    let outside: Vec<ToolCall> = others.iter().map(|(_, call)| (*call).clone()).collect();
    let parallel = scope.model.settings.parallel_tools;
    let mut running = RunningCalls::start(&registry, &outside, &context, parallel);
    for (place, call, EngineTool { handler, .. }) in own {
        let output = handler(scope, &call.input).await;
        done.insert(place, settle(scope, call, output).await);
    }
    loop {
        tokio::select! {
            // The context holds the other end, so the queue does not close.
            Some(change) = coming.recv() => change.record(scope).await,
            next = running.next() => {
                let Some((index, output)) = next else { break };
                if let Some((place, call)) = others.get(index) {
                    done.insert(*place, settle(scope, call, output).await);
                }
            }
        }
    }
    let (results, offloaded): (Vec<_>, Vec<_>) = done.into_values().unzip();
    scope.session.pending.offloaded.extend(offloaded.into_iter().flatten());
    Settled { results: Some(Message::results(results)), stop, text }
}

/// Bytes of a result that is shown although it could not be stored. The window is protected even without a store.
fn room(scope: &ToolScope<'_>) -> usize {
    let frame = RequestFrame { prefix: scope.prefix, tools: scope.tools, model: scope.model };
    let used = frame.size(scope.session, scope.window).used();
    inline_room(scope.window.limits.effective_window.saturating_sub(used))
}

/// Makes the result of a call from its output, and reports it.
async fn settle(
    scope: &mut ToolScope<'_>,
    call: &ToolCall,
    output: ToolOutput,
) -> (ToolResult, Option<OffloadReceipt>) {
    let mut output = output;
    record_changes(scope, std::mem::take(&mut output.changes)).await;
    let results = &scope.tools.results;
    let at = scope.session.clock.now();
    let kind = match StepKind::of_call(call, None) {
        StepKind::Read => ResultKind::File,
        _ => ResultKind::Other,
    };
    let ingested = results.ingest_as(kind, &call.name, &call.id, &output.bytes, at).await;
    let (content, offloaded) = match ingested {
        Ok(ingested) => {
            if ingested.offloaded.is_some() && scope.model.compactor.policy().one_budget {
                scope.session.names.note_whole(&call.id, &String::from_utf8_lossy(&output.bytes));
            }
            (ingested.text, ingested.offloaded)
        }
        Err(error) => {
            let room = room(scope);
            scope.session.degrade(scope.turn, "result store", "bounded inline result", &error);
            (results.inline_bounded(&output.bytes, room), None)
        }
    };
    let pictures = check_pictures(scope, &call.name, std::mem::take(&mut output.images), at).await;
    scope.turn.sink.emit(Event::ToolFinished {
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
