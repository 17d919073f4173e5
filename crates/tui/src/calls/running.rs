//! Renders a running call: its duration and its newest output.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::card::subject;
use crate::clean::{overwritten, visible};
use crate::excerpt::ResultExcerpt;
use crate::layout::cut_text;
use crate::line::{BOLD, Color, DIM, Line, PLAIN};

/// Lines of output that are shown below a running call.
const NEWEST: usize = 3;
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
}

impl RunningCall {
    pub(crate) fn new(call_id: String, name: String, input: Value, now: Instant) -> Self {
        Self { call_id, name, input, since: now, output: String::new(), result: ResultExcerpt::default() }
    }

    /// Adds output; the oldest is dropped.
    pub(crate) fn push_output(&mut self, text: &str) {
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

    pub(crate) fn took(&self, now: Instant) -> String {
        match now.saturating_duration_since(self.since) {
            short if short < Duration::from_millis(500) => String::new(),
            long => elapsed(long),
        }
    }

    /// What is shown while it runs.
    pub(crate) fn lines(&self, now: Instant, columns: usize) -> Vec<Line> {
        let took = self.took(now);
        let room = columns.saturating_sub(4 + self.name.len() + took.len()).max(8);
        let mut title = Line::styled("● ", PLAIN.fg(Color::Yellow)).then(visible(&self.name), BOLD);
        title.add(" ", PLAIN);
        title.add(cut_text(&subject(&self.name, &self.input), room), PLAIN);
        title.add(format!(" {took}"), DIM);
        let text = overwritten(&self.output);
        let newest: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let hidden = newest.len().saturating_sub(NEWEST);
        let shown = newest.into_iter().skip(hidden);
        let line = |text: &str| Line::styled(format!("  {}", cut_text(text, columns.saturating_sub(2))), DIM);
        std::iter::once(title).chain(shown.map(line)).collect()
    }
}

/// A duration for the user: `4.2s`, `1m 05s`, `2h 03m`.
pub(crate) fn elapsed(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..=9 => format!("{seconds}.{}s", time.subsec_millis() / 100),
        10..=59 => format!("{seconds}s"),
        60..=3_599 => format!("{}m {:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h {:02}m", seconds / 3_600, seconds / 60 % 60),
    }
}
