//! A text editor with a cursor. All moves are by grapheme clusters.
//!
//! It is not `tui-textarea` or `ratatui-textarea` (0.7, 0.9 were read): their cursors move by `char`, so a key can split an
//! emoji or a combined letter; no span of their text is atomic, as the marker of a folded paste must be; and they draw
//! themselves as widgets of full ratatui, where this crate needs rows to put into its own live part.

mod cursor_stops;
mod inserting;
mod letters;
mod line_keys;
mod motion;
mod normal;
mod pastes;
mod rows;

use cursor_stops::CursorStops;
use inserting::Inserting;
use pastes::Pastes;
use rows::{Rows, rows};

/// Maximum undo steps.
const MAX_UNDO: usize = 200;

/// A text with a cursor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Editor {
    text: String,
    /// Byte offset of the cursor, between two grapheme clusters.
    at: usize,
    pastes: Pastes,
    /// Pastes of earlier inputs, which may come back.
    known: Pastes,
    killed: CutText,
    undo: Vec<UndoStep>,
    /// What was undone, the newest last.
    redo: Vec<UndoStep>,
    /// Vim's insert mode; `None`: its normal mode, or no vim.
    inserting: Option<Box<Inserting>>,
    /// Whether the newest step was typing, which more typing joins.
    typing: bool,
}

/// The text that was cut last. Its pastes may outlive the input that it came from.
#[derive(Debug, Clone, Default)]
struct CutText {
    text: String,
    pastes: Pastes,
    /// It is whole lines, without the last newline.
    lines: bool,
}

/// The state before a change.
#[derive(Debug, Clone)]
struct UndoStep {
    text: String,
    at: usize,
    pastes: Pastes,
}

impl Editor {
    /// The text on the screen, with markers for large pastes.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text to send, with pastes expanded.
    pub(crate) fn full_text(&self) -> String {
        self.pastes.unfold(&self.text)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text before the cursor.
    pub(crate) fn before(&self) -> &str {
        self.text.get(..self.at).unwrap_or_default()
    }

    fn after(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Replaces the text, with the cursor at its end. What was pasted is folded in it again.
    pub(crate) fn set(&mut self, text: &str) {
        self.remember(false);
        self.known.learn(&std::mem::take(&mut self.pastes));
        self.text = self.pastes.refold(text, &self.known);
        self.at = self.text.len();
    }

    pub(crate) fn clear(&mut self) {
        self.set("");
    }

    /// Takes the text to send and empties the input.
    pub(crate) fn take(&mut self) -> String {
        let full = self.full_text();
        self.known.learn(&self.pastes);
        let (killed, known) = (std::mem::take(&mut self.killed), std::mem::take(&mut self.known));
        *self = Self { killed, known, ..Self::default() };
        full
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let word = text.chars().all(|letter| !letter.is_whitespace());
        self.remember(word);
        self.insert_raw(text);
    }

    /// Inserts a paste.
    pub(crate) fn paste(&mut self, text: &str) {
        self.remember(false);
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let shown = self.pastes.fold(&text, &self.text);
        self.insert_raw(&shown);
    }

    fn insert_raw(&mut self, text: &str) {
        self.text.insert_str(self.at, text);
        // The text may join the grapheme cluster before it.
        self.at = self.stops().at_or_after(self.at + text.len());
    }

    fn stops(&self) -> CursorStops<'_> {
        CursorStops::of(&self.text, &self.pastes)
    }

    /// Replaces the text between `from` and the cursor.
    pub(crate) fn replace_from(&mut self, from: usize, text: &str) {
        if from <= self.at && self.text.is_char_boundary(from) {
            self.remember(false);
            self.text.replace_range(from..self.at, text);
            self.at = self.stops().at_or_after(from + text.len());
        }
    }

    pub(crate) fn left(&mut self) {
        self.at = self.stops().left(self.at);
        self.typing = false;
    }

    pub(crate) fn right(&mut self) {
        self.at = self.stops().right(self.at);
        self.typing = false;
    }

    pub(crate) fn word_left(&mut self) {
        self.at = self.stops().word_left(self.at);
        self.typing = false;
    }

    pub(crate) fn word_right(&mut self) {
        self.at = self.stops().word_right(self.at);
        self.typing = false;
    }

    fn line_start(&self) -> usize {
        self.before().rfind('\n').map_or(0, |newline| newline + 1)
    }

    fn line_end(&self) -> usize {
        self.at + self.after().find('\n').unwrap_or(self.after().len())
    }

    pub(crate) fn home(&mut self) {
        self.at = self.line_start();
        self.typing = false;
    }

    pub(crate) fn end(&mut self) {
        self.at = self.line_end();
        self.typing = false;
    }

    /// Moves to the row above. Returns false if none exists.
    pub(crate) fn up(&mut self, columns: usize) -> bool {
        self.vertical(columns, |row| row.checked_sub(1))
    }

    /// Moves to the row below. Returns false if none exists.
    pub(crate) fn down(&mut self, columns: usize) -> bool {
        self.vertical(columns, |row| row.checked_add(1))
    }

    fn vertical(&mut self, columns: usize, to: impl Fn(usize) -> Option<usize>) -> bool {
        let rows = self.rows(columns);
        let place = to(rows.row).and_then(|row| rows.offset(row, rows.column));
        if let Some(at) = place {
            self.at = self.stops().at_or_after(at);
            self.typing = false;
        }
        place.is_some()
    }

    pub(crate) fn backspace(&mut self) {
        self.cut(self.stops().left(self.at), self.at);
    }

    pub(crate) fn delete(&mut self) {
        self.cut(self.at, self.stops().right(self.at));
    }

    /// Removes the text between two offsets.
    fn cut(&mut self, from: usize, to: usize) -> String {
        if from >= to {
            return String::new();
        }
        self.remember(false);
        let removed: String = self.text.drain(from..to).collect();
        self.at = self.stops().at_or_after(from);
        removed
    }

    fn kill(&mut self, from: usize, to: usize) {
        let removed = self.cut(from, to);
        if !removed.is_empty() {
            self.killed = CutText { text: removed, pastes: self.pastes.clone(), lines: false };
        }
    }

    /// Cuts to the end of the line; at the end, the newline itself.
    pub(crate) fn kill_to_end(&mut self) {
        let end = self.line_end();
        self.kill(self.at, if end == self.at { self.stops().right(self.at) } else { end });
    }

    pub(crate) fn kill_to_start(&mut self) {
        let start = self.line_start();
        self.kill(if start == self.at { self.stops().left(self.at) } else { start }, self.at);
    }

    pub(crate) fn kill_word(&mut self) {
        let start = self.stops().word_left(self.at);
        self.kill(start, self.at);
    }

    pub(crate) fn kill_word_right(&mut self) {
        self.kill(self.at, self.stops().word_right(self.at));
    }

    /// Inserts the text that was cut last.
    pub(crate) fn yank(&mut self) {
        self.remember(false);
        let killed = self.pastes.adopt(&self.killed.text, &self.killed.pastes, &self.text);
        self.insert_raw(&killed);
    }

    pub(crate) fn undo(&mut self) {
        self.undo_change();
    }

    /// Undoes the last change. Returns false if there was no change.
    fn undo_change(&mut self) -> bool {
        let Some(step) = self.undo.pop() else { return false };
        let now = self.replaced_by(step);
        self.redo.push(now);
        true
    }

    /// Makes the last undone change again. Returns false if there was no such change.
    fn redo_change(&mut self) -> bool {
        let Some(step) = self.redo.pop() else { return false };
        let now = self.replaced_by(step);
        self.undo.push(now);
        true
    }

    fn replaced_by(&mut self, step: UndoStep) -> UndoStep {
        let now = self.state();
        (self.text, self.at, self.pastes) = (step.text, step.at, step.pastes);
        self.typing = false;
        now
    }

    fn state(&self) -> UndoStep {
        UndoStep { text: self.text.clone(), at: self.at, pastes: self.pastes.clone() }
    }

    fn remember(&mut self, typing: bool) {
        if !(typing && self.typing) {
            if self.undo.len() >= MAX_UNDO {
                self.undo.remove(0);
            }
            self.undo.push(self.state());
        }
        self.redo.clear();
        self.typing = typing;
    }

    /// The text in rows of this width, with the place of the cursor.
    pub(crate) fn rows(&self, columns: usize) -> Rows {
        rows(&self.text, self.at, columns)
    }
}

#[cfg(test)]
mod tests;
