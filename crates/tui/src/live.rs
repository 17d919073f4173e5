//! The live part of the screen: what is redrawn in place.

use crate::layout::cut;
use crate::line::Line;

/// Lines that are no wider than the screen, and the place of the cursor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Live {
    pub(crate) lines: Vec<Line>,
    /// Row and column, from the first line; `None`: no cursor is shown.
    pub(crate) cursor: Option<(usize, usize)>,
}

impl Live {
    /// Appends lines.
    pub(crate) fn extend(&mut self, lines: impl IntoIterator<Item = Line>) {
        self.lines.extend(lines);
    }

    /// Appends a part. Its cursor, if it has one, is the cursor of the whole.
    pub(crate) fn append(&mut self, part: Self) {
        let above = self.lines.len();
        if let Some((row, column)) = part.cursor {
            self.cursor = Some((row + above, column));
        }
        self.lines.extend(part.lines);
    }

    /// Fits it to the screen: removes lines from the top, where the oldest are, and cuts lines that are too wide.
    pub(crate) fn fit(&mut self, columns: usize, rows: usize) {
        let over = self.lines.len().saturating_sub(rows);
        self.lines.drain(..over);
        for line in &mut self.lines {
            *line = cut(line, columns);
        }
        if let Some((row, column)) = &mut self.cursor {
            *row = row.saturating_sub(over).min(self.lines.len().saturating_sub(1));
            *column = (*column).min(columns.saturating_sub(1));
        }
    }
}
