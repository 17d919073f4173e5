//! The newest checklist of the model, which the user can show above the input.

use serde_json::Value;

use crate::calls::{CHECKLIST, bounded, checklist};
use crate::layout::wrap;
use crate::line::Line;

/// The newest checklist.
#[derive(Debug, Default)]
pub(crate) struct Checklist {
    lines: Vec<Line>,
    is_shown: bool,
}

impl Checklist {
    /// Takes over the checklist, if this call has written one.
    pub(crate) fn observe(&mut self, tool: &str, input: &Value) {
        if tool == CHECKLIST {
            self.lines = checklist(input);
            self.is_shown &= !self.lines.is_empty();
        }
    }

    /// Shows or hides it. Returns false if none exists.
    pub(crate) fn toggle(&mut self) -> bool {
        self.is_shown = !self.is_shown && !self.lines.is_empty();
        !self.lines.is_empty()
    }

    /// Its lines while it is shown, in up to a third of the rows.
    pub(crate) fn draw(&self, columns: usize, rows: usize) -> Vec<Line> {
        if !self.is_shown {
            return Vec::new();
        }
        let lines = self.lines.iter().flat_map(|line| wrap(line, columns)).collect();
        bounded(lines, (rows / 3).max(1))
    }
}
