//! Running the calls of an answer, side by side. Results are handed over as they arrive.

use std::sync::Arc;

use throughline_conversation::ToolCall;
use throughline_engine::{Answered, TurnContext, TurnError};
use throughline_tools::{RunningCalls, ToolContext, ToolOutput};

use crate::coming_change::ChangeQueue;
use crate::model_loop::ModelLoop;

pub(crate) async fn run_calls(
    agent: &mut ModelLoop,
    calls: &[ToolCall],
    turn: &TurnContext<'_>,
) -> Result<Answered, TurnError> {
    let (history, mut coming) = ChangeQueue::new();
    let context = ToolContext {
        cancel: turn.cancel.clone(),
        history: Some(Arc::new(history)),
        ..ToolContext::new(&agent.workspace)
    };
    let parallel = agent.engine.settings().parallel_tools;
    let registry = Arc::clone(&agent.registry);
    let mut running = RunningCalls::start(&registry, calls, &context, parallel);
    let mut operation = agent.operation(turn);
    loop {
        tokio::select! {
            // The context holds the other end, so the queue does not close.
            Some(change) = coming.recv() => change.record(&mut operation).await,
            next = running.next() => {
                let Some((index, output)) = next else { break };
                if let Some(call) = calls.get(index) {
                    operation.result(&call.id, output).await?;
                }
            }
        }
    }
    Ok(operation.finish_results().await?)
}

/// Answers all calls without running them.
pub(crate) async fn refuse_calls(
    agent: &mut ModelLoop,
    calls: &[ToolCall],
    turn: &TurnContext<'_>,
) -> Result<Answered, TurnError> {
    let mut operation = agent.operation(turn);
    for call in calls {
        let name = &call.name;
        let text = format!("The call of {name} was not run: the session cannot be stored at the moment.");
        operation.result(&call.id, ToolOutput::error(text)).await?;
    }
    Ok(operation.finish_results().await?)
}
