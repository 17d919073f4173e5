//! Renders a running call: its duration and its newest output.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::card::{BODY, MARK};
use super::verb::{subject, verb};
use crate::clean::overwritten;
use crate::excerpt::ResultExcerpt;
use crate::layout::cut_text;
use crate::line::{BOLD, DIM, Line, PLAIN};
use crate::palette::{BAD, GOOD, WAIT};
use crate::port::EditExcerpt;

/// Lines of output that are shown below a running call.
const NEWEST: usize = 2;
/// Maximum bytes of buffered output.
const MAX_BUFFER: usize = 4_096;

/// A running call.
#[derive(Debug)]
pub(crate) struct RunningCall {
    pub(crate) call_id: String,
    pub(crate) name: String,
    pub(crate) input: Value,
    since: Instant,
    output: String,
    /// What it gave, once that is known.
    pub(crate) result: ResultExcerpt,
    /// What it changes, in its place in the file, if that is known.
    pub(crate) excerpt: Option<Box<EditExcerpt>>,
    /// How it ended. It waits for the calls before it, so that cards are in the order of the calls.
    pub(crate) end: Option<CallEnd>,
    state: CallState,
}

/// What is known of a call that has not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallState {
    Running,
    /// The user has to allow it first.
    Waiting,
    /// The user does not allow it.
    Refused,
    /// The user has stopped the turn while it waited.
    NotRun,
}

/// How a call ended.
#[derive(Debug)]
pub(crate) struct CallEnd {
    pub(crate) is_error: bool,
    /// Bytes of its full result if it was offloaded.
    pub(crate) stored: Option<u64>,
    /// When it ended.
    pub(crate) at: Instant,
}

impl RunningCall {
    pub(crate) fn new(call_id: String, name: String, input: Value, now: Instant) -> Self {
        let (output, result) = (String::new(), ResultExcerpt::default());
        Self {
            call_id,
            name,
            input,
            since: now,
            output,
            result,
            excerpt: None,
            end: None,
            state: CallState::Running,
        }
    }

    pub(crate) fn state(&self) -> CallState {
        self.state
    }

    pub(crate) fn set_state(&mut self, state: CallState) {
        self.state = state;
    }

    /// Adds output; the oldest is dropped.
    pub(crate) fn push_output(&mut self, text: &str) {
        // What writes runs, whatever allowed it.
        self.state = CallState::Running;
        self.output.push_str(text);
        if self.output.len() > 2 * MAX_BUFFER {
            let from = self.output.ceil_char_boundary(self.output.len() - MAX_BUFFER);
            self.output.drain(..from);
        }
    }

    /// The user has answered a question about it: the time before does not count.
    pub(crate) fn restart(&mut self, now: Instant) {
        self.since = now;
    }

    /// When it began, without the time at a question.
    pub(crate) fn since(&self) -> Instant {
        self.since
    }

    /// How long it took until now, or until its end; empty for a short time.
    pub(crate) fn took(&self, now: Instant) -> String {
        let end = self.end.as_ref().map_or(now, |end| end.at);
        match end.saturating_duration_since(self.since) {
            short if short < Duration::from_millis(500) => String::new(),
            long => elapsed(long),
        }
    }

    /// What is shown while it waits for the user.
    pub(crate) fn waiting_line(&self, columns: usize) -> Line {
        let title = Line::plain(MARK).then("○ ", DIM).then(verb(&self.name), BOLD).then(" ", PLAIN);
        let room = columns.saturating_sub(title.width()).max(8);
        title.then(cut_text(&subject(&self.name, &self.input), room), DIM)
    }

    /// What is shown while it runs, and while it waits for the calls before it.
    pub(crate) fn lines(&self, now: Instant, columns: usize) -> Vec<Line> {
        let took = self.took(now);
        let mut title = Line::plain(MARK);
        match &self.end {
            None => title.add("● ", PLAIN.fg(WAIT)),
            Some(end) if end.is_error => title.add("✗ ", PLAIN.fg(BAD)),
            Some(_) => title.add("✓ ", PLAIN.fg(GOOD)),
        }
        title.add(verb(&self.name), BOLD);
        title.add(" ", PLAIN);
        let room = columns.saturating_sub(title.width() + 1 + took.len()).max(8);
        title.add(cut_text(&subject(&self.name, &self.input), room), PLAIN);
        title.add(format!(" {took}"), DIM);
        if self.end.is_some() {
            return vec![title];
        }
        let text = overwritten(&self.output);
        let newest: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let hidden = newest.len().saturating_sub(NEWEST);
        let shown = newest.into_iter().skip(hidden);
        let room = columns.saturating_sub(BODY.len());
        let line = |text: &str| Line::styled(format!("{BODY}{}", cut_text(text, room)), DIM);
        std::iter::once(title).chain(shown.map(line)).collect()
    }
}

/// A duration for the user: `4.2s`, `1m 05s`, `2h 03m`.
pub fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..=9 => format!("{seconds}.{}s", time.subsec_millis() / 100),
        10..=59 => format!("{seconds}s"),
        60..=3_599 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3_600, seconds / 60 % 60),
    }
}

/// A duration in whole seconds: `<1s`, `42s`, `1m 05s`, `2h 03m`.
pub(crate) fn whole_seconds(time: Duration) -> String {
    match time.as_secs() {
        0 => "<1s".to_owned(),
        seconds @ 1..=9 => format!("{seconds}s"),
        _ => elapsed(time),
    }
}
