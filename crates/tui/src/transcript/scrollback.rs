//! Finished lines for the terminal's scrollback: blocks, with an empty line between two kinds.

use super::block::{Block, Kind};
use crate::layout::wrap;
use crate::line::Line;

/// The lines that are not on the terminal yet, and what was printed last.
#[derive(Debug)]
pub(super) struct Scrollback {
    /// Columns at which lines are wrapped.
    pub(super) columns: usize,
    /// Nothing is left out of inputs and results.
    whole: bool,
    lines: Vec<Line>,
    /// The kind of the last block; `None`: nothing was printed yet.
    last: Option<Kind>,
    /// The rows of the last block.
    last_rows: usize,
}

/// A call with more rows is set apart from the next one.
const CALL_ROWS: usize = 4;

impl Scrollback {
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, whole: false, lines: Vec::new(), last: None, last_rows: 0 }
    }

    /// One that leaves nothing out of inputs and results.
    pub(super) fn whole(columns: usize) -> Self {
        Self { whole: true, ..Self::new(columns) }
    }

    pub(super) fn take(&mut self) -> Vec<Line> {
        std::mem::take(&mut self.lines)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Returns true if an empty line belongs between the last block and an answer.
    pub(super) fn is_apart_from_answer(&self) -> bool {
        self.last.is_some_and(|last| last != Kind::Answer)
    }

    /// Returns true if an empty line belongs before running calls.
    pub(super) fn is_apart_from_calls(&self) -> bool {
        self.last != Some(Kind::Call)
    }

    /// Prints a block; one without lines changes nothing.
    pub(super) fn print(&mut self, block: Block<'_>) {
        let kind = block.kind();
        let lines = block.lines(self.columns, self.whole);
        if lines.is_empty() {
            return;
        }
        let after_long_call = kind == Kind::Call && self.last == Some(kind) && self.last_rows > CALL_ROWS;
        if after_long_call || self.last.is_some_and(|last| kind.is_apart_from(last)) {
            self.lines.push(Line::blank());
        }
        (self.last, self.last_rows) = (Some(kind), lines.len());
        self.append(lines);
    }

    /// Prints lines that belong to the last block.
    pub(super) fn append(&mut self, lines: Vec<Line>) {
        for line in lines {
            if line.is_whole() {
                self.lines.push(line);
            } else {
                self.lines.extend(wrap(&line, self.columns).into_iter().map(Line::without_end_spaces));
            }
        }
    }
}
