//! What writes: it knows where the cursor stands, and moves it from there.

use crossterm::Command;
use crossterm::cursor::{MoveRight, MoveToColumn, MoveUp};
use crossterm::terminal::{Clear, ClearType};
use ratatui_core::style::Style;

use crate::ink::{Line, encode};

/// Bytes for a terminal, and where they leave its cursor in the live part.
#[derive(Debug)]
pub(super) struct Pen {
    out: String,
    colours: bool,
    row: u16,
    /// `None`: it is not sure.
    column: Option<u16>,
}

impl Pen {
    /// A pen at this row and column.
    pub(super) fn new(colours: bool, (row, column): (u16, u16)) -> Self {
        Self { out: String::new(), colours, row, column: Some(column) }
    }

    /// All that was written.
    pub(super) fn written(self) -> String {
        self.out
    }

    /// Writes a command that does not move the cursor.
    pub(super) fn tell(&mut self, command: impl Command) {
        // Writing to a string cannot fail.
        let _ = command.write_ansi(&mut self.out);
    }

    /// Goes to a place. Down it goes by line feeds: where the screen ends they make room, and other moves would stop.
    pub(super) fn go(&mut self, row: u16, column: u16) {
        if row < self.row {
            self.tell(MoveUp(self.row - row));
        }
        for _ in self.row..row {
            self.out.push('\n');
            // Whether a line feed also goes to the first column is for the terminal's driver to say.
            self.column = None;
        }
        self.row = row;
        if self.column == Some(column) {
            return;
        }
        if column == 0 {
            self.out.push('\r');
        } else {
            self.tell(MoveToColumn(column));
        }
        self.column = Some(column);
    }

    /// Goes up so many rows, to the first column of what is the first row from now on.
    pub(super) fn top(&mut self, rows: u16) {
        self.row = rows;
        self.column = None;
        self.go(0, 0);
    }

    /// Empties the row of the cursor and all below. Not from the first column on: a terminal may take that at the top of
    /// its screen for the wish to keep what stood there in the scrollback (tmux does).
    pub(super) fn empty(&mut self) {
        self.tell(Clear(ClearType::CurrentLine));
        self.tell(MoveRight(1));
        self.tell(Clear(ClearType::FromCursorDown));
        self.out.push('\r');
        self.column = Some(0);
    }

    /// Empties the rest of the row.
    pub(super) fn empty_rest(&mut self) {
        self.tell(Clear(ClearType::UntilNewLine));
    }

    /// Writes a line that stays; the next row is the first one again.
    pub(super) fn line(&mut self, line: &Line) {
        self.out.push_str(&line.encoded(self.colours));
        self.out.push_str("\r\n");
    }

    /// Writes text that ends before this column.
    pub(super) fn text(&mut self, text: &str, style: Style, column: u16) {
        encode(&mut self.out, text, style, self.colours);
        self.column = Some(column);
    }

    /// What was written may have ended in another column.
    pub(super) fn unsure(&mut self) {
        self.column = None;
    }
}
