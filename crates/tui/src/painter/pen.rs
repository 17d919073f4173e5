//! Writes to the terminal and tracks the cursor position.

use crossterm::Command;
use crossterm::cursor::{MoveRight, MoveToColumn, MoveUp};
use crossterm::terminal::{Clear, ClearType};
use ratatui_core::style::Style;

use crate::line::{Color, Line, encode, encode_ground};
use crate::palette::Palette;

/// Bytes for the terminal, and the cursor position after them, relative to the live part.
#[derive(Debug)]
pub(super) struct Pen {
    out: String,
    palette: Palette,
    row: u16,
    /// `None` if it is unknown.
    column: Option<u16>,
}

impl Pen {
    /// A pen with the cursor at this row and column.
    pub(super) fn new(palette: Palette, row: u16, column: u16) -> Self {
        Self { out: String::new(), palette, row, column: Some(column) }
    }

    /// The written bytes.
    pub(super) fn written(self) -> String {
        self.out
    }

    /// Writes a command that does not move the cursor.
    pub(super) fn command(&mut self, command: impl Command) {
        // Writing to a string cannot fail.
        let _ = command.write_ansi(&mut self.out);
    }

    /// Moves the cursor. Moves down by line feeds, which scroll at the end of the screen where other moves would stop.
    pub(super) fn go(&mut self, row: u16, column: u16) {
        if row < self.row {
            self.command(MoveUp(self.row - row));
        }
        for _ in self.row..row {
            self.out.push('\n');
            // The terminal driver decides whether a line feed also returns to the first column.
            self.column = None;
        }
        self.row = row;
        if self.column == Some(column) {
            return;
        }
        if column == 0 {
            self.out.push('\r');
        } else {
            self.command(MoveToColumn(column));
        }
        self.column = Some(column);
    }

    /// Moves up this many rows, to the first column; that row becomes row 0.
    pub(super) fn top(&mut self, rows: u16) {
        self.row = rows;
        self.column = None;
        self.go(0, 0);
    }

    /// Clears the cursor's row and all rows below. Does not clear from the first column down, because at the top of the
    /// screen tmux would move the cleared rows to its scrollback.
    pub(super) fn empty(&mut self) {
        self.command(Clear(ClearType::CurrentLine));
        self.command(MoveRight(1));
        self.command(Clear(ClearType::FromCursorDown));
        self.out.push('\r');
        self.column = Some(0);
    }

    /// Clears the rest of the row.
    pub(super) fn empty_rest(&mut self) {
        self.command(Clear(ClearType::UntilNewLine));
    }

    /// Gives the rest of the row a ground, where the terminal shows grounds.
    pub(super) fn ground(&mut self, ground: Color) {
        encode_ground(&mut self.out, ground, self.palette);
    }

    /// Writes a finished line. The next row becomes row 0.
    pub(super) fn line(&mut self, line: &Line, columns: usize) {
        self.out.push_str(&line.encoded(self.palette, columns));
        self.out.push_str("\r\n");
    }

    /// Writes text that ends before this column.
    pub(super) fn text(&mut self, text: &str, style: Style, column: u16) {
        encode(&mut self.out, text, style, self.palette);
        self.column = Some(column);
    }

    /// Marks the column as unknown.
    pub(super) fn unsure(&mut self) {
        self.column = None;
    }
}
