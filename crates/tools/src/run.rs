//! Runs the calls of one message concurrently.

use std::any::Any;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::iter::Enumerate;
use std::slice::Iter;
use std::time::Duration;

use throughline_conversation::ToolCall;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::{Instant, timeout_at};

use crate::output::ToolOutput;
use crate::registry::ToolRegistry;
use crate::tool::ToolContext;

/// The output of a call that was cancelled before it had one.
pub const CANCELLED: &str = "[Cancelled]";

/// Time that a cancelled tool has to return partial output, such as what a command wrote so far.
const HAND_OVER: Duration = Duration::from_millis(300);

/// Time that a cancelled tool has to clean up before its task is aborted.
const CLEAN_UP: Duration = Duration::from_secs(1);

/// Runs calls concurrently and yields their outputs as they complete.
///
/// Every call gets an output: an unknown tool and a panic give an error, and after a cancel every unfinished call gives
/// [`CANCELLED`], or the partial output that its tool returns within 300 ms. Dropping the value stops all running calls.
#[derive(Debug)]
pub struct RunningCalls<'a> {
    registry: &'a ToolRegistry,
    context: &'a ToolContext,
    limit: usize,
    waiting: Enumerate<Iter<'a, ToolCall>>,
    tasks: JoinSet<ToolOutput>,
    /// The index of the call that a task runs, and the name of its tool.
    running: HashMap<Id, (usize, String)>,
    /// Outputs that can be yielded without waiting for a task.
    ready: VecDeque<(usize, ToolOutput)>,
    /// When cancelled tools are aborted.
    abort_at: Option<Instant>,
}

impl<'a> RunningCalls<'a> {
    /// Starts calls, at most `limit` concurrently (0 counts as 1). [`RunningCalls::next`] starts the others.
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
            running: HashMap::new(),
            ready: VecDeque::new(),
            abort_at: None,
        };
        run.fill();
        run
    }

    /// Waits for the next call to complete. Returns its index and its output, or `None` after the last one. Cancel safe.
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
                joined = self.tasks.join_next_with_id() => self.record(joined),
            }
        }
    }

    /// Starts calls up to the limit.
    fn fill(&mut self) {
        while self.tasks.len() < self.limit && !self.context.cancel.is_cancelled() {
            let Some((index, call)) = self.waiting.next() else { return };
            self.start_call(index, call);
        }
    }

    fn start_call(&mut self, index: usize, call: &ToolCall) {
        let Some(tool) = self.registry.get(&call.name) else {
            self.ready.push_back((index, ToolOutput::error(self.registry.unknown(&call.name))));
            return;
        };
        let (call, context) = (call.clone(), self.context.clone());
        let name = call.name.clone();
        let task = self.tasks.spawn(async move {
            if context.cancel.is_cancelled() {
                return ToolOutput::error(CANCELLED);
            }
            let deadline = async {
                context.cancel.cancelled().await;
                tokio::time::sleep(HAND_OVER).await;
            };
            // Leaving the select drops the tool's future, which stops it at the latest.
            tokio::select! {
                output = tool.call(&call, &context) => output,
                () = deadline => ToolOutput::error(CANCELLED),
            }
        });
        self.running.insert(task.id(), (index, name));
    }

    fn record(&mut self, joined: Option<Result<(Id, ToolOutput), JoinError>>) {
        let (id, output) = match joined {
            None => return,
            Some(Ok((id, output))) => (id, Ok(output)),
            Some(Err(error)) => (error.id(), Err(error)),
        };
        if let Some((index, name)) = self.running.remove(&id) {
            let output = output.unwrap_or_else(|error| panicked(&name, error));
            self.ready.push_back((index, output));
        }
    }

    /// The next output after a cancel. Running tools get [`CLEAN_UP`] to end.
    async fn after_cancel(&mut self) -> Option<(usize, ToolOutput)> {
        let until = *self.abort_at.get_or_insert_with(|| Instant::now() + CLEAN_UP);
        while self.ready.is_empty() && !self.tasks.is_empty() {
            match timeout_at(until, self.tasks.join_next_with_id()).await {
                Ok(joined) => self.record(joined),
                Err(_) => self.abort(),
            }
        }
        let done = self.ready.pop_front();
        done.or_else(|| self.waiting.next().map(|(index, _)| (index, cancelled())))
    }

    fn abort(&mut self) {
        tracing::warn!(tools = self.tasks.len(), "tools ignored the cancellation; their tasks are aborted");
        self.tasks = JoinSet::new();
        let unfinished: BTreeSet<usize> = self.running.drain().map(|(_, (index, _))| index).collect();
        self.ready.extend(unfinished.into_iter().map(|index| (index, cancelled())));
    }
}

fn cancelled() -> ToolOutput {
    ToolOutput::error(CANCELLED)
}

fn panicked(name: &str, error: JoinError) -> ToolOutput {
    let why = match error.try_into_panic() {
        Ok(panic) => panic_message(panic.as_ref()).unwrap_or("no reason was given").to_owned(),
        Err(error) => error.to_string(),
    };
    tracing::error!(tool = name, %why, "a tool panicked");
    ToolOutput::error(format!(
        "The tool {name} broke down: {why}. This is a fault of the tool. Try other arguments or another tool."
    ))
}

fn panic_message(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str))
}

#[cfg(test)]
mod tests;
