//! Inputs that were sent while the session works.

use std::collections::VecDeque;

use crate::clean::visible;
use crate::layout::{cut_text, width};
use crate::line::{DIM, Line, PLAIN};
use crate::palette::{ACCENT, WAIT};

/// Maximum queued inputs on the screen.
const SHOWN: usize = 3;

/// The queued inputs, oldest first.
#[derive(Debug, Default)]
pub(super) struct Queue {
    /// Sent one by one as turns end.
    waiting: VecDeque<String>,
    /// Queued when a turn was interrupted or failed: the user decides whether they are sent. They come before `waiting`.
    paused: VecDeque<String>,
}

/// Returns true for a message to the model: no command.
fn is_message(text: &str) -> bool {
    !text.starts_with(['/', '!'])
}

impl Queue {
    pub(super) fn push(&mut self, text: String) {
        self.waiting.push_back(text);
    }

    /// Takes the messages that can be added to a running turn: those before the first other input.
    pub(super) fn take_messages(&mut self) -> Vec<String> {
        let upto = self.waiting.iter().position(|text| !is_message(text)).unwrap_or(self.waiting.len());
        self.waiting.drain(..upto).collect()
    }

    /// Returns messages that were taken and not sent.
    pub(super) fn put_back(&mut self, texts: Vec<String>) {
        texts.into_iter().rev().for_each(|text| self.waiting.push_front(text));
    }

    /// Returns true if an input waits to be sent.
    pub(super) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// All of them, oldest first.
    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.paused.iter().chain(&self.waiting)
    }

    /// Takes the next input to send.
    pub(super) fn pop(&mut self) -> Option<String> {
        self.waiting.pop_front()
    }

    /// Takes the newest input, to edit it.
    pub(super) fn pop_newest(&mut self) -> Option<String> {
        self.waiting.pop_back().or_else(|| self.paused.pop_back())
    }

    pub(super) fn pause(&mut self) {
        self.paused.append(&mut self.waiting);
    }

    /// Lets the paused inputs wait again. Returns the first of them.
    pub(super) fn resume(&mut self) -> Option<String> {
        let first = self.paused.pop_front();
        self.paused.append(&mut self.waiting);
        std::mem::swap(&mut self.paused, &mut self.waiting);
        first
    }

    /// The first inputs, each with when it is sent, and how many more there are. `busy`: a turn runs.
    pub(super) fn draw(&self, columns: usize, busy: bool) -> Vec<Line> {
        let paused = self.paused.iter().map(|text| (State::Paused, text));
        let mut open = true;
        let waiting = self.waiting.iter().map(|text| {
            // What stands behind an input that waits for the end waits, too.
            open &= is_message(text);
            (if open { State::Next } else { State::AtEnd }, text)
        });
        let all: Vec<(State, &String)> = paused.chain(waiting).take(SHOWN).collect();
        let newest = all.len().saturating_sub(1);
        let mut lines: Vec<Line> = all
            .iter()
            .enumerate()
            .map(|(at, (state, text))| row(*state, text, at == newest, busy, columns))
            .collect();
        let more = (self.paused.len() + self.waiting.len()).saturating_sub(SHOWN);
        if more > 0 {
            lines.push(Line::styled(format!("    ⋯ {more} more"), DIM));
        }
        lines
    }
}

/// When a queued input is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Behind the calls that run.
    Next,
    /// When the turn has ended.
    AtEnd,
    /// When the user says so.
    Paused,
}

/// A queued input in one row, with what the keys do behind the last one.
fn row(state: State, text: &str, last: bool, busy: bool, columns: usize) -> Line {
    let (when, style) = match state {
        State::Next => ("next", DIM),
        State::AtEnd => ("at the end of the turn", DIM),
        State::Paused => ("paused", PLAIN.fg(WAIT)),
    };
    let keys = match state {
        _ if !last => "",
        State::Paused if !busy => " · enter sends · ↑ edits",
        _ => " · ↑ edits",
    };
    let text = visible(text).replace('\n', " ⏎ ");
    let room = columns.saturating_sub(4 + 2 + width(when) + width(keys)).max(8);
    let line = Line::styled("  ↳ ", PLAIN.fg(ACCENT)).then(cut_text(&text, room), PLAIN);
    line.then("  ", DIM).then(when, style).then(keys, DIM)
}
