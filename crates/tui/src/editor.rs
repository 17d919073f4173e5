//! A text editor with a cursor. All moves are by grapheme clusters.

mod cursor_stops;
mod pastes;
mod rows;

use cursor_stops::CursorStops;
use pastes::Pastes;
use rows::{Rows, rows};

/// Maximum undo steps.
const UNDO: usize = 200;

/// A text with a cursor.
#[derive(Debug, Clone, Default)]
pub(crate) struct Editor {
    text: String,
    /// Byte offset of the cursor: between two letters.
    at: usize,
    pastes: Pastes,
    killed: CutText,
    undo: Vec<UndoStep>,
    /// Whether the newest step was typing, which more typing joins.
    typing: bool,
}

/// What was cut out last. Its pastes may outlive the input that it was cut out of.
#[derive(Debug, Clone, Default)]
struct CutText {
    text: String,
    pastes: Pastes,
}

/// How it was before a change.
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
    pub(crate) fn whole(&self) -> String {
        self.pastes.unfold(&self.text)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// What stands before the cursor.
    pub(crate) fn before(&self) -> &str {
        self.text.get(..self.at).unwrap_or_default()
    }

    fn after(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Another text, the cursor at its end. A large one is folded like a paste.
    pub(crate) fn set(&mut self, text: &str) {
        self.remember(false);
        self.pastes = Pastes::default();
        self.text = self.pastes.fold(text, "");
        self.at = self.text.len();
    }

    /// Empties it.
    pub(crate) fn clear(&mut self) {
        self.set("");
    }

    /// Takes the text to send and empties the input.
    pub(crate) fn take(&mut self) -> String {
        let whole = self.whole();
        *self = Self { killed: std::mem::take(&mut self.killed), ..Self::default() };
        whole
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let word = text.chars().all(|letter| !letter.is_whitespace());
        self.remember(word);
        self.put(text);
    }

    /// Inserts what was pasted.
    pub(crate) fn paste(&mut self, text: &str) {
        self.remember(false);
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let shown = self.pastes.fold(&text, &self.text);
        self.put(&shown);
    }

    fn put(&mut self, text: &str) {
        self.text.insert_str(self.at, text);
        // What was inserted may join the letter before it.
        self.at = self.places().at_or_after(self.at + text.len());
    }

    fn places(&self) -> CursorStops<'_> {
        CursorStops::of(&self.text, &self.pastes)
    }

    /// Replaces what stands between `from` and the cursor.
    pub(crate) fn replace_from(&mut self, from: usize, text: &str) {
        if from <= self.at && self.text.is_char_boundary(from) {
            self.remember(false);
            self.text.replace_range(from..self.at, text);
            self.at = self.places().at_or_after(from + text.len());
        }
    }

    pub(crate) fn left(&mut self) {
        self.at = self.places().left(self.at);
        self.typing = false;
    }

    pub(crate) fn right(&mut self) {
        self.at = self.places().right(self.at);
        self.typing = false;
    }

    pub(crate) fn word_left(&mut self) {
        self.at = self.places().word_left(self.at);
        self.typing = false;
    }

    pub(crate) fn word_right(&mut self) {
        self.at = self.places().word_right(self.at);
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

    /// To the row above. `false`: there is no such row.
    pub(crate) fn up(&mut self, columns: usize) -> bool {
        self.vertical(columns, |row| row.checked_sub(1))
    }

    /// To the row below. `false`: there is no such row.
    pub(crate) fn down(&mut self, columns: usize) -> bool {
        self.vertical(columns, |row| row.checked_add(1))
    }

    fn vertical(&mut self, columns: usize, to: impl Fn(usize) -> Option<usize>) -> bool {
        let rows = self.rows(columns);
        let place = to(rows.row).and_then(|row| rows.offset(row, rows.column));
        if let Some(at) = place {
            self.at = self.places().at_or_after(at);
            self.typing = false;
        }
        place.is_some()
    }

    pub(crate) fn backspace(&mut self) {
        self.cut(self.places().left(self.at), self.at);
    }

    pub(crate) fn delete(&mut self) {
        self.cut(self.at, self.places().right(self.at));
    }

    /// Takes out what stands between two places.
    fn cut(&mut self, from: usize, to: usize) -> String {
        if from >= to {
            return String::new();
        }
        self.remember(false);
        let gone: String = self.text.drain(from..to).collect();
        self.at = self.places().at_or_after(from);
        gone
    }

    fn kill(&mut self, from: usize, to: usize) {
        let gone = self.cut(from, to);
        if !gone.is_empty() {
            self.killed = CutText { text: gone, pastes: self.pastes.clone() };
        }
    }

    /// To the end of the line, or the line's end itself.
    pub(crate) fn kill_to_end(&mut self) {
        let end = self.line_end();
        self.kill(self.at, if end == self.at { self.places().right(self.at) } else { end });
    }

    pub(crate) fn kill_to_start(&mut self) {
        let start = self.line_start();
        self.kill(if start == self.at { self.places().left(self.at) } else { start }, self.at);
    }

    pub(crate) fn kill_word(&mut self) {
        let start = self.places().word_left(self.at);
        self.kill(start, self.at);
    }

    pub(crate) fn kill_word_right(&mut self) {
        self.kill(self.at, self.places().word_right(self.at));
    }

    /// Puts back what was killed last.
    pub(crate) fn yank(&mut self) {
        self.remember(false);
        let killed = self.pastes.adopt(&self.killed.text, &self.killed.pastes, &self.text);
        self.put(&killed);
    }

    pub(crate) fn undo(&mut self) {
        if let Some(UndoStep { text, at, pastes }) = self.undo.pop() {
            (self.text, self.at, self.pastes) = (text, at, pastes);
            self.typing = false;
        }
    }

    fn remember(&mut self, typing: bool) {
        if !(typing && self.typing) {
            if self.undo.len() >= UNDO {
                self.undo.remove(0);
            }
            self.undo.push(UndoStep { text: self.text.clone(), at: self.at, pastes: self.pastes.clone() });
        }
        self.typing = typing;
    }

    /// The text in rows of this width, with the place of the cursor.
    pub(crate) fn rows(&self, columns: usize) -> Rows {
        rows(&self.text, self.at, columns)
    }
}

#[cfg(test)]
mod tests;
