//! Running the calls of one message side by side.

use std::any::Any;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::iter::Enumerate;
use std::slice::Iter;
use std::time::Duration;

use throughline_conversation::ToolCall;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, timeout_at};

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
    let mut run = RunningCalls::start(registry, calls, context, limit);
    let mut outputs = vec![None; calls.len()];
    while let Some((place, output)) = run.next().await {
        if let Some(slot) = outputs.get_mut(place) {
            *slot = Some(output);
        }
    }
    outputs.into_iter().map(|output| output.unwrap_or_else(cancelled)).collect()
}

/// Calls that run side by side, whose outputs are given as they come. Dropping it stops all that still run.
#[derive(Debug)]
pub struct RunningCalls<'a> {
    registry: &'a ToolRegistry,
    context: &'a ToolContext,
    limit: usize,
    waiting: Enumerate<Iter<'a, ToolCall>>,
    tasks: JoinSet<ToolOutput>,
    /// Which call a task works on: its place and its tool.
    places: HashMap<Id, (usize, String)>,
    /// Outputs that no task has to be waited for.
    ready: VecDeque<(usize, ToolOutput)>,
    /// When tools that were cancelled are abandoned.
    abandon_at: Option<Instant>,
}

impl<'a> RunningCalls<'a> {
    /// Starts calls, at most `limit` at once (at least one). The others are started by [`RunningCalls::next`].
    #[must_use]
    pub fn start(
        registry: &'a ToolRegistry,
        calls: &'a [ToolCall],
        context: &'a ToolContext,
        limit: usize,
    ) -> Self {
        let mut run = Self {
            registry,
            context,
            limit: limit.max(1),
            waiting: calls.iter().enumerate(),
            tasks: JoinSet::new(),
            places: HashMap::new(),
            ready: VecDeque::new(),
            abandon_at: None,
        };
        run.fill();
        run
    }

    /// The output of the call that is done next, and the place of that call. `None`: every call has given its output,
    /// as in [`run_calls`]. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<(usize, ToolOutput)> {
        loop {
            if self.context.cancel.is_cancelled() {
                return self.after_cancel().await;
            }
            self.fill();
            if let Some(done) = self.ready.pop_front() {
                return Some(done);
            }
            if self.tasks.is_empty() {
                return None;
            }
            tokio::select! {
                () = self.context.cancel.cancelled() => {}
                joined = self.tasks.join_next_with_id() => self.take(joined),
            }
        }
    }

    /// Starts as many calls as may run.
    fn fill(&mut self) {
        while self.tasks.len() < self.limit && !self.context.cancel.is_cancelled() {
            let Some((place, call)) = self.waiting.next() else { return };
            self.run(place, call);
        }
    }

    fn run(&mut self, place: usize, call: &ToolCall) {
        let Some(tool) = self.registry.get(&call.name) else {
            self.ready.push_back((place, ToolOutput::error(self.registry.unknown(&call.name))));
            return;
        };
        let (call, context) = (call.clone(), self.context.clone());
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

    fn take(&mut self, joined: Option<Result<(Id, ToolOutput), JoinError>>) {
        let (id, output) = match joined {
            None => return,
            Some(Ok((id, output))) => (id, Ok(output)),
            Some(Err(error)) => (error.id(), Err(error)),
        };
        if let Some((place, name)) = self.places.remove(&id) {
            let output = output.unwrap_or_else(|error| broken(&name, error));
            self.ready.push_back((place, output));
        }
    }

    /// The next output after a cancel: tools that run may clean up for a while.
    async fn after_cancel(&mut self) -> Option<(usize, ToolOutput)> {
        let until = *self.abandon_at.get_or_insert_with(|| Instant::now() + CLEAN_UP);
        while self.ready.is_empty() && !self.tasks.is_empty() {
            match timeout_at(until, self.tasks.join_next_with_id()).await {
                Ok(joined) => self.take(joined),
                Err(_) => self.abandon(),
            }
        }
        let done = self.ready.pop_front();
        done.or_else(|| self.waiting.next().map(|(place, _)| (place, cancelled())))
    }

    fn abandon(&mut self) {
        tracing::warn!(left = self.tasks.len(), "tools go on after they were cancelled; they are abandoned");
        self.tasks = JoinSet::new();
        let left = self.places.drain().map(|(_, (place, _))| place);
        let left: BTreeSet<usize> = left.collect();
        self.ready.extend(left.into_iter().map(|place| (place, cancelled())));
    }
}

fn cancelled() -> ToolOutput {
    ToolOutput::error(CANCELLED)
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
