//! The summary that a model writes while the agent works.

use throughline_engine::{SummaryEnd, SummaryTask, TurnContext};
use tokio::task::JoinHandle;

use crate::model_loop::ModelLoop;

/// The summary that is being written, if there is one. Dropping it stops the request.
#[derive(Debug, Default)]
pub(crate) struct AheadSummary {
    running: Option<JoinHandle<SummaryEnd>>,
}

impl Drop for AheadSummary {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.abort();
        }
    }
}

/// Hands a summary that is written to the engine, and begins the next one that will be needed.
pub(crate) async fn advance(agent: &mut ModelLoop, turn: &TurnContext<'_>) {
    if agent.ahead.running.as_ref().is_some_and(JoinHandle::is_finished) {
        hand_over(agent, turn).await;
    }
    if agent.ahead.running.is_some() {
        return;
    }
    let Some(task) = agent.operation(turn).begin_summary().await else { return };
    if let Err(refused) = allow(agent).await {
        agent.operation(turn).summary_written(task.refused(refused));
        return;
    }
    agent.ahead.running = Some(tokio::spawn(SummaryTask::run(task)));
}

/// Waits for the summary that is being written: the user has asked for a compaction, which would ask for the same again.
pub(crate) async fn wait(agent: &mut ModelLoop, turn: &TurnContext<'_>) {
    if let Some(running) = agent.ahead.running.as_mut() {
        tokio::select! {
            biased;
            () = turn.cancel.cancelled() => {}
            end = running => {
                agent.ahead.running = None;
                settle(agent, turn, end.ok());
            }
        }
    }
}

/// Stops the summary that is being written. One that is written already is handed over, with what it has used.
pub(crate) async fn stop(agent: &mut ModelLoop, turn: &TurnContext<'_>) {
    if let Some(running) = &agent.ahead.running {
        running.abort();
        hand_over(agent, turn).await;
    }
}

async fn hand_over(agent: &mut ModelLoop, turn: &TurnContext<'_>) {
    if let Some(running) = agent.ahead.running.take() {
        let end = running.await.ok();
        settle(agent, turn, end);
    }
}

fn settle(agent: &mut ModelLoop, turn: &TurnContext<'_>, end: Option<SummaryEnd>) {
    let mut operation = agent.operation(turn);
    match end {
        Some(end) => operation.summary_written(end),
        None => operation.summary_abandoned(),
    }
}

/// Fails with the reason if the request may not be paid for.
async fn allow(agent: &ModelLoop) -> Result<(), String> {
    let Some(guard) = &agent.spending else { return Ok(()) };
    let allowed = guard.allow(&agent.engine.model().origin(), agent.engine.expected_read()).await;
    allowed.map_err(|refused| refused.to_string())
}

#[cfg(test)]
mod tests;
