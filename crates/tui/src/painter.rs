//! The bytes that bring a terminal from one picture to the next.
//!
//! Finished lines go out as ordinary output, so the terminal scrolls, keeps and reflows them as it does for any program.
//! The live part stands below them and is written over in place. All moves are relative to it: where on the screen it
//! stands need not be known, so the terminal is never asked and the live part may have any height.

use std::fmt::Write;

use crate::ink::Line;
use crate::screen::Live;

/// The picture is shown when all of it is there (DEC private mode 2026).
const BEGIN: &str = "\u{1b}[?2026h\u{1b}[?25l";
const END: &str = "\u{1b}[?2026l";
/// Lines of the live part that are too wide by a terminal's own rules are cut by it, not wrapped: rows stay counted.
const NO_WRAP: &str = "\u{1b}[?7l";
const WRAP: &str = "\u{1b}[?7h";
/// Empties the row of the cursor and all below. Not from the first column on: a terminal may take that at the top of its
/// screen for the wish to keep what stood there in the scrollback (tmux does).
const EMPTY: &str = "\u{1b}[2K\u{1b}[C\u{1b}[J\r";

/// Knows what stands on the screen.
#[derive(Debug, Default)]
pub(crate) struct Painter {
    colours: bool,
    /// The lines of the live part as they were written, and their widths.
    lines: Vec<(String, usize)>,
    /// The row of the live part that the terminal's cursor is in, and its column.
    at: (usize, usize),
    /// Columns when it was written.
    columns: usize,
}

impl Painter {
    pub(crate) fn new(colours: bool) -> Self {
        Self { colours, ..Self::default() }
    }

    /// The bytes for finished lines and a new live part, on a screen of this width.
    pub(crate) fn paint(&mut self, finished: &[Line], live: &Live, columns: usize) -> String {
        let next: Vec<(String, usize)> =
            live.lines.iter().map(|line| (line.encoded(self.colours), line.width())).collect();
        let cursor = live.cursor.unwrap_or((next.len().saturating_sub(1), 0));
        let same = finished.is_empty() && columns == self.columns && next == self.lines;
        if same && cursor == self.at {
            return String::new();
        }
        let mut out = BEGIN.to_owned();
        self.to_top(&mut out, columns);
        if !finished.is_empty() || columns != self.columns {
            out.push_str(EMPTY);
            self.lines.clear();
        }
        for line in finished {
            out.push_str(&line.encoded(self.colours));
            out.push_str("\r\n");
        }
        out.push_str(NO_WRAP);
        let last = next.len().saturating_sub(1);
        for (row, (text, width)) in next.iter().enumerate() {
            let shrinks = row == last && self.lines.len() > next.len();
            if shrinks {
                out.push_str(EMPTY);
                out.push_str(text);
            } else if self.lines.get(row) != Some(&(text.clone(), *width)) {
                out.push_str("\u{1b}[2K");
                out.push_str(text);
            }
            if row < last {
                out.push_str("\r\n");
            }
        }
        if next.is_empty() {
            out.push_str(EMPTY);
        }
        out.push_str(WRAP);
        up(&mut out, last.saturating_sub(cursor.0));
        out.push('\r');
        right(&mut out, cursor.1);
        if live.cursor.is_some() {
            out.push_str("\u{1b}[?25h");
        }
        out.push_str(END);
        self.lines = next;
        self.at = cursor;
        self.columns = columns;
        out
    }

    /// The bytes that take the live part away, the cursor where it began.
    pub(crate) fn clear(&mut self, columns: usize) -> String {
        let mut out = String::new();
        self.to_top(&mut out, columns);
        out.push_str(EMPTY);
        out.push_str("\u{1b}[?25h");
        self.lines.clear();
        self.at = (0, 0);
        out
    }

    /// To the first column of the live part's first row. A terminal that became narrower has broken the lines above the
    /// cursor into more rows.
    fn to_top(&self, out: &mut String, columns: usize) {
        let columns = columns.max(1);
        let rows = if columns < self.columns {
            let above = self.lines.iter().take(self.at.0).map(|(_, width)| width.div_ceil(columns).max(1));
            above.sum::<usize>() + self.at.1 / columns
        } else {
            self.at.0
        };
        out.push('\r');
        up(out, rows);
    }
}

fn up(out: &mut String, rows: usize) {
    if rows > 0 {
        // Writing to a string cannot fail.
        let _ = write!(out, "\u{1b}[{rows}A");
    }
}

fn right(out: &mut String, columns: usize) {
    if columns > 0 {
        let _ = write!(out, "\u{1b}[{columns}C");
    }
}

#[cfg(test)]
mod tests;
