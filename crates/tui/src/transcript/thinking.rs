//! Thinking of the model: its newest line while it lasts, one line about it afterwards.

use std::time::{Duration, Instant};

use crate::calls::elapsed;
use crate::clean::stripped;
use crate::layout::cut_text;
use crate::line::{DIM, Line, Modifier};

/// Shortest thinking that leaves a line.
const THOUGHT: Duration = Duration::from_secs(3);

/// Thinking in progress.
#[derive(Debug)]
pub(super) struct Thinking {
    text: String,
    since: Instant,
}

impl Thinking {
    pub(super) fn new(text: String, now: Instant) -> Self {
        Self { text, since: now }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Its newest line.
    pub(super) fn newest(&self, columns: usize) -> Line {
        let text = stripped(&self.text);
        let newest = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        italic(&format!("  ∴ {}", newest.replace("**", "")), columns)
    }

    /// A line about it, if it took long.
    pub(super) fn summary(&self, now: Instant, columns: usize) -> Option<Line> {
        let took = now.saturating_duration_since(self.since);
        if took < THOUGHT {
            return None;
        }
        let text = stripped(&self.text);
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let start = format!("  ∴ thought for {}", elapsed(took));
        let first = first.replace("**", "");
        let line = if first.is_empty() { start } else { format!("{start}: {first}") };
        Some(italic(&line, columns))
    }
}

fn italic(text: &str, columns: usize) -> Line {
    Line::styled(cut_text(text, columns), DIM.add_modifier(Modifier::ITALIC))
}
