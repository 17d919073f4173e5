//! Computes the bytes between two frames.
//!
//! Finished lines are ordinary output, so the terminal scrolls, stores and reflows them. The live part below them is a grid of
//! cells, of which the changed ones are overwritten. All cursor moves are relative to the live part, so its position on the
//! screen need not be known, the terminal is not queried, and the live part may have any height.

mod cells;
mod pen;
mod pushed;

use crossterm::cursor::{Hide, Show};
use crossterm::terminal::{BeginSynchronizedUpdate, DisableLineWrap, EnableLineWrap, EndSynchronizedUpdate};
use ratatui_core::buffer::Buffer;

use crate::line::Line;
use crate::live::Live;
use crate::palette::Palette;
use cells::{blank, end_of_row, picture, write_changes};
use pen::Pen;
use pushed::{PushedRows, broken};

/// Knows what is on the screen.
#[derive(Debug, Default)]
pub(crate) struct Painter {
    palette: Palette,
    /// The live part as last written: its lines and its cells.
    lines: Vec<Line>,
    shown: Buffer,
    /// Row and column of the cursor within the live part.
    at: (u16, u16),
    /// The cursor is visible.
    seen: bool,
    /// The rows of the terminal, if it was resized since the last picture: it may have lost rows.
    resized: Option<u16>,
    /// Rows of earlier pictures above the edge of the screen.
    pushed: PushedRows,
}

impl Painter {
    pub(crate) fn new(palette: Palette) -> Self {
        Self { palette, ..Self::default() }
    }

    /// Notes a resize to this many rows. A terminal that became lower may have dropped rows below the cursor.
    pub(crate) fn resized(&mut self, rows: usize) {
        self.resized = Some(cells_of(rows));
    }

    /// The bytes for finished lines and a new live part, on a screen of this width.
    pub(crate) fn paint(&mut self, finished: &[Line], live: &Live, columns: usize) -> String {
        let columns = cells_of(columns).max(1);
        let cursor = live.cursor.map(|(row, column)| (cells_of(row), cells_of(column)));
        let at = cursor.unwrap_or((cells_of(live.lines.len()).saturating_sub(1), 0));
        let afresh = !finished.is_empty() || columns != self.shown.area.width || self.resized.is_some();
        if !afresh && live.lines == self.lines && at == self.at && cursor.is_some() == self.seen {
            return String::new();
        }
        let next = picture(&live.lines, columns, &self.shown, &self.lines);
        let mut pen = Pen::new(self.palette, self.at.0, self.at.1);
        // The picture is shown when all of it is there.
        pen.command(BeginSynchronizedUpdate);
        pen.command(Hide);
        if afresh {
            self.take_away(&mut pen, columns);
        }
        if !finished.is_empty() {
            self.pushed.forget();
        }
        for line in finished {
            pen.line(line, columns.into());
        }
        // Lines of the live part that are too wide by a terminal's own rules are cut by it, not wrapped: rows stay counted.
        pen.command(DisableLineWrap);
        write_changes(&mut pen, &self.shown, &next);
        pen.command(EnableLineWrap);
        pen.go(at.0, at.1);
        if cursor.is_some() {
            pen.command(Show);
        }
        pen.command(EndSynchronizedUpdate);
        self.lines.clone_from(&live.lines);
        self.shown = next;
        self.at = at;
        self.seen = cursor.is_some();
        pen.written()
    }

    /// The bytes that take the live part away, the cursor where it began.
    pub(crate) fn clear(&mut self, columns: usize) -> String {
        let mut pen = Pen::new(self.palette, self.at.0, self.at.1);
        self.take_away(&mut pen, cells_of(columns).max(1));
        pen.command(Show);
        self.pushed.forget();
        self.at = (0, 0);
        self.seen = true;
        pen.written()
    }

    fn take_away(&mut self, pen: &mut Pen, columns: u16) {
        let pushed = if self.resized.is_some() { self.pushed.rows(columns) } else { 0 };
        // A terminal stops at its first row.
        pen.top(cells_of(pushed).saturating_add(self.rows_above(columns)));
        pen.empty();
        if let Some(rows) = self.resized.take() {
            let before = (0..self.at.0).map(|row| end_of_row(&self.shown, row));
            self.pushed.keep_unseen(before, columns, rows);
        }
        self.lines.clear();
        self.shown = blank(columns, 0);
    }

    /// Rows of the live part above the cursor. A terminal that became narrower has broken its lines into more of them.
    fn rows_above(&self, columns: u16) -> u16 {
        if columns >= self.shown.area.width {
            return self.at.0;
        }
        let above: usize = (0..self.at.0).map(|row| broken(end_of_row(&self.shown, row), columns)).sum();
        cells_of(above + usize::from(self.at.1 / columns))
    }
}

/// A number of rows or columns as terminals count them.
fn cells_of(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

#[cfg(test)]
mod tests;
