//! Step 8: the tools, side by side: told as they end, their results in call order, large ones stored out of the window.

use std::collections::BTreeMap;
use std::sync::Arc;

use throughline_completion::StopReason;
use throughline_conversation::{Message, OffloadReceipt, ToolCall, ToolResult};
use throughline_tools::{RunningCalls, ToolContext, ToolOutput};

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
    let mut done = Done::default();
    let mut run = Vec::with_capacity(calls.len());
    for (place, call) in calls.iter().enumerate() {
        match engine.repetition.as_mut().and_then(|guard| guard.observe(call).refusal()) {
            Some(refused) => done.settle(place, engine, wire, (call, refused)).await,
            None => run.push((place, call)),
        }
    }
    let (own, others): (Vec<_>, Vec<_>) =
        run.into_iter().partition(|(_, call)| tools::steers(&engine.parts.keeping, &call.name));
    let context = ToolContext { cancel: wire.cancel.clone(), ..ToolContext::new(&engine.parts.workspace) };
    let registry = Arc::clone(&engine.parts.registry);
    let outside: Vec<ToolCall> = others.iter().map(|(_, call)| (*call).clone()).collect();
    let mut running =
        RunningCalls::start(&registry, &outside, &context, engine.parts.settings.parallel_tools);
    for (place, call) in own {
        let output = tools::steer(engine, wire, call).await;
        let output = output.unwrap_or_else(|| ToolOutput::error("the tool gave no output"));
        done.settle(place, engine, wire, (call, output)).await;
    }
    while let Some((index, output)) = running.next().await {
        if let Some((place, call)) = others.get(index) {
            done.settle(*place, engine, wire, (call, output)).await;
        }
    }
    Settled { results: Some(Message::results(done.in_call_order(engine))), stop, text }
}

/// Results by the places of their calls. They are told as they come, and shown to the model in call order.
#[derive(Default)]
struct Done(BTreeMap<usize, (ToolResult, Option<OffloadReceipt>)>);

impl Done {
    async fn settle(
        &mut self,
        place: usize,
        engine: &mut Engine,
        wire: &Wire<'_>,
        (call, output): (&ToolCall, ToolOutput),
    ) {
        self.0.insert(place, settle(engine, wire, call, output).await);
    }

    fn in_call_order(self, engine: &mut Engine) -> Vec<ToolResult> {
        let (results, offloaded): (Vec<_>, Vec<_>) = self.0.into_values().unzip();
        engine.notes.offloaded.extend(offloaded.into_iter().flatten());
        results
    }
}

async fn settle(
    engine: &mut Engine,
    wire: &Wire<'_>,
    call: &ToolCall,
    output: ToolOutput,
) -> (ToolResult, Option<OffloadReceipt>) {
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
    wire.sink.emit(Event::ToolFinished {
        call_id: call.id.clone(),
        name: call.name.clone(),
        bytes: output.bytes.len() as u64,
        is_error: output.is_error,
        offloaded: offloaded.clone(),
    });
    // A tool that says nothing still has to be answered for, and no provider takes an empty text.
    let content = if content.trim().is_empty() { "[no output]".to_owned() } else { content };
    let result =
        ToolResult { call_id: call.id.clone(), content, images: output.images, is_error: output.is_error };
    (result, offloaded)
}
