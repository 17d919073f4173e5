//! What the session has said and done: the finished part, which is printed once, and the open part below it.

mod block;
mod compacted;
mod events;
mod expanded;
mod scrollback;
mod thinking;

pub(crate) use block::Block;
pub use expanded::expanded;

use std::time::Instant;

use crate::calls::{FinishedCall, RunningCall};
use crate::excerpt::ResultExcerpt;
use crate::layout::break_at_width;
use crate::line::Line;
use crate::markdown::Stream;
use scrollback::Scrollback;
use thinking::Thinking;

/// The transcript of the session.
#[derive(Debug)]
pub(crate) struct Transcript {
    scrollback: Scrollback,
    /// The answer that is being written.
    stream: Stream,
    thinking: Option<Thinking>,
    calls: Vec<RunningCall>,
}

impl Transcript {
    /// An empty transcript. Lines are wrapped at `columns`.
    pub(crate) fn new(columns: usize) -> Self {
        Self {
            scrollback: Scrollback::new(columns),
            stream: Stream::default(),
            thinking: None,
            calls: Vec::new(),
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

    /// Returns true if nothing was printed yet, or a notice was printed last.
    pub(crate) fn ends_with_notice(&self) -> bool {
        self.scrollback.is_empty() || self.scrollback.ends_with_notice()
    }

    /// Prints the rest of the answer, and then a block.
    pub(crate) fn print(&mut self, block: Block<'_>) {
        self.finish_answer();
        self.scrollback.print(block);
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

    /// Counts the duration of a call from now on: the user has just answered a question about it.
    pub(crate) fn restart_call(&mut self, call_id: &str, now: Instant) {
        if let Some(call) = self.running_call(call_id) {
            call.restart(now);
        }
    }

    fn running_call(&mut self, call_id: &str) -> Option<&mut RunningCall> {
        self.calls.iter_mut().find(|call| call.call_id == call_id)
    }

    /// Ends the thinking, and prints the rest of the answer or of its part before a call.
    pub(crate) fn end_answer(&mut self, now: Instant) {
        self.end_thinking(now);
        self.finish_answer();
    }

    /// Ends what is open. Calls without a result were cancelled.
    pub(crate) fn end_turn(&mut self, now: Instant) {
        self.end_answer(now);
        for call in std::mem::take(&mut self.calls) {
            let took = call.took(now);
            let (name, input, took) = (call.name.as_str(), &call.input, took.as_str());
            let stopped =
                FinishedCall { name, input, is_error: true, took, result: &"stopped".into(), stored: None };
            self.print(Block::Call(stopped));
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
        let lines = self.stream.complete(self.scrollback.columns);
        self.scrollback.print(Block::Answer(lines));
    }

    fn finish_answer(&mut self) {
        let lines = self.stream.finish(self.scrollback.columns);
        self.scrollback.print(Block::Answer(lines));
    }

    /// The open part: the end of the answer, or else running calls, and thinking.
    pub(crate) fn draw(&self, now: Instant) -> Vec<Line> {
        let columns = self.scrollback.columns;
        let mut lines = Vec::new();
        for line in self.stream.open(columns) {
            lines.extend(if line.is_whole() { break_at_width(&line, columns) } else { vec![line] });
        }
        let mut work: Vec<Line> = self.calls.iter().flat_map(|call| call.lines(now, columns)).collect();
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
