//! What the session has said and done: the finished part, which is printed once, and the open part below it.

mod block;
mod compacted;
mod events;
mod expanded;
mod page;
mod scrollback;
mod thinking;

pub(crate) use block::Block;
pub(crate) use compacted::compacted;
pub use expanded::expanded;

use std::time::Instant;

use throughline_text::counted;

use crate::calls::{CallEnd, CallState, FinishedCall, ReadGroup, RunningCall, only_reads};
use crate::excerpt::ResultExcerpt;
use crate::layout::break_at_width;
use crate::line::Line;
use crate::markdown::Stream;
use crate::overlay::GivenAnswer;
use crate::port::{Earlier, EditExcerpt};
use scrollback::Scrollback;
use thinking::Thinking;

/// The result of a call that waited for the user when the turn was stopped.
const NOT_RUN: &str = "not run";

/// The transcript of the session.
#[derive(Debug)]
pub(crate) struct Transcript {
    scrollback: Scrollback,
    /// The answer that is being written.
    stream: Stream,
    /// A part of the answer that the model writes is printed.
    answer_began: bool,
    /// Why an answer of this turn was last withdrawn, as far as that is printed.
    withdrawn: Option<String>,
    thinking: Option<Thinking>,
    /// Calls that run, and those that wait for one before them, in the order of the calls.
    calls: Vec<RunningCall>,
    /// Finished calls that only read, until something else follows.
    reads: ReadGroup,
}

impl Transcript {
    /// An empty transcript. Lines are wrapped at `columns`.
    pub(crate) fn new(columns: usize) -> Self {
        Self {
            scrollback: Scrollback::new(columns),
            stream: Stream::default(),
            answer_began: false,
            withdrawn: None,
            thinking: None,
            calls: Vec::new(),
            reads: ReadGroup::default(),
        }
    }

    /// What is printed from here on is wrapped at another width.
    pub(crate) fn resize(&mut self, columns: usize) {
        self.scrollback.columns = columns;
    }

    /// Takes the lines that were finished since the last time.
    pub(crate) fn take_printed(&mut self) -> Vec<Line> {
        self.scrollback.take()
    }

    /// Returns true if nothing was printed yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.scrollback.is_empty()
    }

    /// Prints the rest of the answer, and then a block.
    pub(crate) fn print(&mut self, block: Block<'_>) {
        self.finish_answer();
        self.finish_reads();
        self.scrollback.print(block);
    }

    /// Prints earlier output.
    pub(crate) fn restore(&mut self, one: &Earlier, now: Instant) {
        match Block::of(one, self.scrollback.columns) {
            Block::Call(call) if self.reads.take(&call, (now, now), self.scrollback.columns) => {}
            block => self.print(block),
        }
    }

    /// Prints lines that belong to the last block.
    pub(crate) fn print_more(&mut self, lines: Vec<Line>) {
        self.scrollback.append(lines);
    }

    /// More output of a running call.
    pub(crate) fn push_output(&mut self, call_id: &str, text: &str) {
        if let Some(call) = self.running_call(call_id) {
            call.push_output(text);
        }
    }

    /// The result of a running call, for its preview.
    pub(crate) fn set_result(&mut self, call_id: &str, result: ResultExcerpt) {
        if let Some(call) = self.running_call(call_id) {
            call.result = result;
        }
    }

    /// What a running call changes.
    pub(crate) fn set_change(&mut self, call_id: &str, excerpt: Box<EditExcerpt>) {
        if let Some(call) = self.running_call(call_id) {
            call.excerpt = Some(excerpt);
        }
    }

    /// A call waits until the user has been asked about it, or about one like it.
    pub(crate) fn set_waiting(&mut self, call_id: &str) {
        if let Some(call) = self.running_call(call_id) {
            call.set_state(CallState::Waiting);
        }
    }

    /// The user has just answered the question about a call. The duration of what may run now counts from here.
    pub(crate) fn answer_call(&mut self, call_id: &str, given: GivenAnswer, now: Instant) {
        if let Some(call) = self.running_call(call_id) {
            call.restart(now);
            call.set_state(if given == GivenAnswer::Denied {
                CallState::Refused
            } else {
                CallState::Running
            });
        }
        for call in self.calls.iter_mut().filter(|call| call.state() == CallState::Waiting) {
            call.restart(now);
            // One of them may be allowed by the same rule.
            if given == GivenAnswer::Always {
                call.set_state(CallState::Running);
            }
        }
    }

    /// The user has stopped the turn at a question: what waits behind it does not run.
    pub(crate) fn drop_waiting_calls(&mut self, now: Instant) {
        for call in self.calls.iter_mut().filter(|call| call.state() == CallState::Waiting) {
            call.restart(now);
            call.set_state(CallState::NotRun);
        }
    }

    /// Returns true if the user has refused a call, or has stopped the turn before it could run.
    pub(crate) fn is_refused(&self, call_id: &str) -> bool {
        let call = self.calls.iter().find(|call| call.call_id == call_id);
        call.is_some_and(|call| matches!(call.state(), CallState::Refused | CallState::NotRun))
    }

    fn running_call(&mut self, call_id: &str) -> Option<&mut RunningCall> {
        self.calls.iter_mut().find(|call| call.call_id == call_id)
    }

    /// Ends the thinking, and prints the rest of the answer or of its part before a call.
    pub(crate) fn end_answer(&mut self, now: Instant) {
        self.end_thinking(now);
        self.finish_answer();
    }

    /// The same at the end of an answer, which is not withdrawn any more.
    pub(crate) fn complete_answer(&mut self, now: Instant) {
        self.end_answer(now);
        self.answer_began = false;
    }

    /// Ends what is open. Calls without a result were cancelled.
    pub(crate) fn end_turn(&mut self, now: Instant) {
        self.complete_answer(now);
        self.withdrawn = None;
        for call in self.calls.iter_mut().filter(|call| call.end.is_none()) {
            call.result = if call.state() == CallState::NotRun { NOT_RUN } else { "stopped" }.into();
            call.end = Some(CallEnd { is_error: true, stored: None, at: now });
        }
        self.print_finished_calls();
        self.finish_reads();
    }

    /// Prints the calls that have ended, up to the first one that still runs.
    fn print_finished_calls(&mut self) {
        let running = self.calls.iter().position(|call| call.end.is_none()).unwrap_or(self.calls.len());
        for call in self.calls.drain(..running).collect::<Vec<_>>() {
            let Some(end) = &call.end else { continue };
            let took = call.took(end.at);
            let finished = FinishedCall {
                name: &call.name,
                input: &call.input,
                is_error: end.is_error,
                took: &took,
                result: &call.result,
                stored: end.stored,
                excerpt: call.excerpt.as_deref(),
            };
            if !self.reads.take(&finished, (call.since(), end.at), self.scrollback.columns) {
                self.print(Block::Call(finished));
            }
        }
    }

    /// Prints the group of calls that only read.
    fn finish_reads(&mut self) {
        let reads = std::mem::take(&mut self.reads);
        if !reads.is_empty() {
            self.scrollback.print(Block::Reads(reads.lines(self.scrollback.columns)));
        }
    }

    fn end_thinking(&mut self, now: Instant) {
        let columns = self.scrollback.columns;
        if let Some(line) = self.thinking.take().and_then(|thinking| thinking.summary(now, columns)) {
            self.print(Block::Thought(line));
        }
    }

    /// Prints the complete blocks of the answer.
    fn print_complete_blocks(&mut self) {
        self.finish_reads();
        let lines = self.stream.complete(self.scrollback.columns);
        self.answer_began |= !lines.is_empty();
        self.scrollback.print(Block::Answer(lines));
    }

    fn finish_answer(&mut self) {
        let lines = self.stream.finish(self.scrollback.columns);
        if !lines.is_empty() {
            self.answer_began = true;
            self.finish_reads();
        }
        self.scrollback.print(Block::Answer(lines));
    }

    /// What the turn is seen to do, in one or two words.
    pub(crate) fn doing(&self) -> String {
        let running: Vec<&RunningCall> = self.calls.iter().filter(|call| call.end.is_none()).collect();
        if !running.is_empty() {
            let commands = running.iter().all(|call| call.name == "shell");
            let thing = if commands { "command" } else { "call" };
            return match running.as_slice() {
                calls if calls.iter().all(|call| only_reads(&call.name)) => "reading".to_owned(),
                calls => format!("running {}", counted(calls.len() as u64, thing)),
            };
        }
        if self.thinking.is_some() {
            return "thinking".to_owned();
        }
        if self.stream.is_empty() { "working".to_owned() } else { "writing".to_owned() }
    }

    /// The open part: the end of the answer, or else running calls, and thinking. `asked`: a call that a question shows.
    pub(crate) fn draw(&self, asked: Option<&str>, now: Instant) -> Vec<Line> {
        let columns = self.scrollback.columns;
        let mut lines = Vec::new();
        for line in self.stream.open(columns) {
            lines.extend(if line.is_whole() { break_at_width(&line, columns) } else { vec![line] });
        }
        let mut work = if self.reads.is_empty() { Vec::new() } else { self.reads.lines(columns) };
        let calls = self.calls.iter().filter(|call| asked != Some(call.call_id.as_str()));
        work.extend(calls.flat_map(|call| match call.state() {
            CallState::Waiting if asked.is_some() && call.end.is_none() => vec![call.waiting_line(columns)],
            _ => call.lines(now, columns),
        }));
        work.extend(self.thinking.as_ref().map(|thinking| thinking.newest(columns)));
        let apart = if lines.is_empty() {
            !work.is_empty() && self.scrollback.is_apart_from_calls()
        } else {
            self.scrollback.is_apart_from_answer()
        };
        if apart {
            lines.insert(0, Line::blank());
        }
        lines.extend(work);
        lines
    }
}
