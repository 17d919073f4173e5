//! The newest checklist of the model, which is shown below the activity while a turn runs.

use serde_json::Value;

use crate::calls::{CHECKLIST, Todo, bounded, todo_items};
use crate::layout::wrap_hanging;
use crate::line::Line;

/// Rows of the checklist, if the screen is not low.
const ROWS: usize = 5;

/// Whether the user wants to see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Shown {
    /// While a turn runs and something is left to do.
    #[default]
    InTurns,
    Always,
    Never,
}

/// The newest checklist.
#[derive(Debug, Default)]
pub(crate) struct Checklist {
    items: Vec<Todo>,
    shown: Shown,
}

impl Checklist {
    /// Takes over the checklist, if this call has written one.
    pub(crate) fn observe(&mut self, tool: &str, input: &Value) {
        if tool == CHECKLIST {
            self.items = todo_items(input);
        }
    }

    /// Shows or hides it. Returns false if none exists.
    pub(crate) fn toggle(&mut self, in_turn: bool) -> bool {
        if self.items.is_empty() {
            return false;
        }
        self.shown = if self.is_shown(in_turn) { Shown::Never } else { Shown::Always };
        true
    }

    fn is_open(&self) -> bool {
        self.items.iter().any(|item| !item.is_done())
    }

    fn is_shown(&self, in_turn: bool) -> bool {
        match self.shown {
            Shown::Always => !self.items.is_empty(),
            Shown::InTurns => in_turn && self.is_open(),
            Shown::Never => false,
        }
    }

    /// The current item and how many are done, while one is worked on.
    pub(crate) fn progress(&self) -> Option<(String, String)> {
        let current = self.items.iter().find(|item| item.is_current())?;
        let done = self.items.iter().filter(|item| item.is_done()).count();
        Some((current.text.clone(), format!("{done} of {} done", self.items.len())))
    }

    /// Its lines while it is shown. Of a long list, the part around the current item.
    pub(crate) fn draw(&self, columns: usize, rows: usize, in_turn: bool) -> Vec<Line> {
        if !self.is_shown(in_turn) {
            return Vec::new();
        }
        let most = ROWS.min(rows / 4).max(1);
        let current = self.items.iter().position(Todo::is_current).unwrap_or_default();
        // The item before the current one says what was done last.
        let from = current.saturating_sub(1).min(self.items.len().saturating_sub(most));
        let start = Line::plain("    ");
        let rest = Line::plain("      ");
        let lines = self.items.iter().skip(from).flat_map(|item| {
            let mut lines = wrap_hanging(&start, &rest, &item.line(), columns);
            lines.truncate(2);
            lines
        });
        bounded(lines.collect(), most, 4)
    }
}
