//! Running the calls of one message side by side.

use std::any::Any;
use std::collections::HashMap;
use std::time::Duration;

use throughline_conversation::ToolCall;
use tokio::task::{Id, JoinError, JoinSet};

use crate::{ToolContext, ToolOutput, ToolRegistry};

/// The answer of a call that was stopped before it had one.
pub const CANCELLED: &str = "[Cancelled]";

/// How many calls run at once unless the caller says otherwise.
pub const PARALLEL_CALLS: usize = 4;

/// How long a cancelled tool may take to hand over what it has, such as what a command wrote until then.
const HAND_OVER: Duration = Duration::from_millis(300);

/// How long a cancelled tool may take to clean up before its task is abandoned.
const CLEAN_UP: Duration = Duration::from_secs(1);

/// Runs calls, at most `limit` at once (at least one), and gives their outputs in the order of the calls.
///
/// Every call gets an output: a tool that is not there or panics gives an error, and when the context is
/// cancelled every unfinished call gives [`CANCELLED`], or what its tool hands over within 300 ms. Dropping the future stops
/// all of them.
pub async fn run_calls(
    registry: &ToolRegistry,
    calls: &[ToolCall],
    context: &ToolContext,
    limit: usize,
) -> Vec<ToolOutput> {
    let mut run = Run { outputs: vec![None; calls.len()], ..Run::default() };
    let mut waiting = calls.iter().enumerate();
    while !context.cancel.is_cancelled() {
        while run.tasks.len() < limit.max(1)
            && let Some((place, call)) = waiting.next()
        {
            run.start(place, call, registry, context);
        }
        if run.tasks.is_empty() {
            break;
        }
        tokio::select! {
            () = context.cancel.cancelled() => {}
            () = run.take_one() => {}
        }
    }
    if !run.tasks.is_empty() && tokio::time::timeout(CLEAN_UP, run.take_all()).await.is_err() {
        tracing::warn!(left = run.tasks.len(), "tools go on after they were cancelled; they are abandoned");
    }
    run.outputs.into_iter().map(|output| output.unwrap_or_else(|| ToolOutput::error(CANCELLED))).collect()
}

/// The state of one run. `places` says which call a task works on.
#[derive(Default)]
struct Run {
    tasks: JoinSet<ToolOutput>,
    places: HashMap<Id, (usize, String)>,
    outputs: Vec<Option<ToolOutput>>,
}

impl Run {
    fn start(&mut self, place: usize, call: &ToolCall, registry: &ToolRegistry, context: &ToolContext) {
        let Some(tool) = registry.get(&call.name) else {
            self.put(place, ToolOutput::error(registry.unknown(&call.name)));
            return;
        };
        let (call, context) = (call.clone(), context.clone());
        let name = call.name.clone();
        let task = self.tasks.spawn(async move {
            if context.cancel.is_cancelled() {
                return ToolOutput::error(CANCELLED);
            }
            let over = async {
                context.cancel.cancelled().await;
                tokio::time::sleep(HAND_OVER).await;
            };
            // Leaving the select drops the tool's future, which is how a tool learns that it must stop at the latest.
            tokio::select! {
                output = tool.call(&call, &context) => output,
                () = over => ToolOutput::error(CANCELLED),
            }
        });
        self.places.insert(task.id(), (place, name));
    }

    fn put(&mut self, place: usize, output: ToolOutput) {
        if let Some(slot) = self.outputs.get_mut(place) {
            *slot = Some(output);
        }
    }

    async fn take_one(&mut self) {
        let (id, output) = match self.tasks.join_next_with_id().await {
            None => return,
            Some(Ok((id, output))) => (id, Ok(output)),
            Some(Err(error)) => (error.id(), Err(error)),
        };
        if let Some((place, name)) = self.places.remove(&id) {
            let output = output.unwrap_or_else(|error| broken(&name, error));
            self.put(place, output);
        }
    }

    async fn take_all(&mut self) {
        while !self.tasks.is_empty() {
            self.take_one().await;
        }
    }
}

fn broken(name: &str, error: JoinError) -> ToolOutput {
    let why = match error.try_into_panic() {
        Ok(panic) => said(panic.as_ref()).unwrap_or("no reason was given").to_owned(),
        Err(error) => error.to_string(),
    };
    tracing::error!(tool = name, %why, "a tool panicked");
    ToolOutput::error(format!(
        "The tool {name} broke down: {why}. This is a fault of the tool. Try other arguments or another tool."
    ))
}

fn said(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str))
}

#[cfg(test)]
mod tests;
