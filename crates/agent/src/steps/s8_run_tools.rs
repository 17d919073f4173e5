//! Step 8: the tools, side by side; their results in call order, large ones stored out of the window.

use std::sync::Arc;

use throughline_completion::StopReason;
use throughline_conversation::{Message, ToolCall, ToolResult};
use throughline_tools::{ToolContext, ToolOutput, run_calls};

use super::s7_stream_response::Responded;
use crate::engine::{Engine, Wire};
use crate::{Event, tools};

/// Every call of the answer has a result.
#[derive(Debug)]
pub(crate) struct Settled {
    /// The message with the results; `None` when there was no call.
    pub(crate) results: Option<Message>,
    pub(crate) stop: StopReason,
    /// The model's text, for the caller.
    pub(crate) text: String,
}

pub(crate) async fn run_tools(responded: Responded, engine: &mut Engine, wire: &Wire<'_>) -> Settled {
    let Responded { message, stop } = responded;
    let text = message.as_ref().map(Message::text).unwrap_or_default();
    let calls: Vec<ToolCall> = message.iter().flat_map(|message| message.tool_calls().cloned()).collect();
    if calls.is_empty() {
        return Settled { results: None, stop, text };
    }
    for call in &calls {
        engine.deferral.mark_used(&call.name, engine.turn);
        let ToolCall { id, name, input } = call.clone();
        wire.sink.emit(Event::ToolStarted { call_id: id, name, input });
    }
    let refused: Vec<Option<ToolOutput>> =
        calls.iter().map(|call| engine.repetition.as_mut()?.observe(call).refusal()).collect();
    let run: Vec<ToolCall> = calls
        .iter()
        .zip(&refused)
        .filter(|(_, refused)| refused.is_none())
        .map(|(call, _)| call.clone())
        .collect();
    let mut outputs = outside(engine, wire, &run).await;
    let mut results = Vec::with_capacity(calls.len());
    for (call, refused) in calls.iter().zip(refused) {
        let output = match refused {
            Some(refused) => Some(refused),
            None => tools::steer(engine, wire, call).await,
        };
        let output = match output {
            Some(output) => output,
            None => outputs.next().unwrap_or_else(|| ToolOutput::error("the tool gave no output")),
        };
        results.push(settle(engine, wire, call, output).await);
    }
    Settled { results: Some(Message::results(results)), stop, text }
}

/// Outputs of the calls that are not the engine's own, in call order.
async fn outside(
    engine: &Engine,
    wire: &Wire<'_>,
    calls: &[ToolCall],
) -> impl Iterator<Item = ToolOutput> + use<> {
    let others: Vec<ToolCall> =
        calls.iter().filter(|call| !tools::steers(&engine.parts.keeping, &call.name)).cloned().collect();
    let context = ToolContext { cancel: wire.cancel.clone(), ..ToolContext::new(&engine.parts.workspace) };
    let limit = engine.parts.settings.parallel_tools;
    run_calls(&engine.parts.registry, &others, &context, limit).await.into_iter()
}

async fn settle(engine: &mut Engine, wire: &Wire<'_>, call: &ToolCall, output: ToolOutput) -> ToolResult {
    let results = Arc::clone(&engine.parts.results);
    let at = engine.parts.clock.now();
    let (content, offloaded) = match results.ingest(&call.name, &call.id, &output.bytes, at).await {
        Ok(ingested) => (ingested.text, ingested.offloaded),
        Err(error) => {
            // The window is protected even when the store is not there: never the full text.
            engine.degrade(wire, "result store", "bounded inline result", &error);
            (results.inline_bounded(&output.bytes), None)
        }
    };
    if let Some(receipt) = &offloaded {
        engine.notes.offloaded.push(receipt.clone());
    }
    wire.sink.emit(Event::ToolFinished {
        call_id: call.id.clone(),
        name: call.name.clone(),
        bytes: output.bytes.len() as u64,
        is_error: output.is_error,
        offloaded,
    });
    // A tool that says nothing still has to be answered for, and no provider takes an empty text.
    let content = if content.trim().is_empty() { "[no output]".to_owned() } else { content };
    ToolResult { call_id: call.id.clone(), content, images: output.images, is_error: output.is_error }
}
