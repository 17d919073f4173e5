//! Vim's insert mode: where it begins, and what happens when it ends.

use super::Editor;
use super::normal::MAX_PUT;
use crate::vim::InsertAt;

/// An insert mode that a command has begun.
#[derive(Debug, Clone)]
pub(super) struct Inserting {
    /// Undo steps before it.
    undo: usize,
    /// How often the inserted text stands there in the end.
    count: usize,
    /// `None`: the text is not repeated.
    place: Option<InsertPlace>,
}

/// The text around the place where the insert mode began.
#[derive(Debug, Clone)]
struct InsertPlace {
    before: String,
    after: String,
    /// It is a new line, as each repeat is.
    is_line: bool,
}

impl Editor {
    /// Begins the insert mode at a place. What is inserted stands there so often in the end.
    pub(super) fn insert_at(&mut self, at: InsertAt, count: usize) {
        self.begin_insert(count);
        let letters = self.letters();
        let index = letters.index(self.at);
        let (start, end) = (letters.line_start(index), letters.line_end(index));
        let place = match at {
            InsertAt::Cursor => index,
            InsertAt::Behind => (index + 1).min(end),
            InsertAt::FirstLetter => letters.first_letter(index),
            InsertAt::LineEnd | InsertAt::LineBelow => end,
            InsertAt::LineAbove => start,
        };
        self.at = letters.offset(place);
        let is_line = matches!(at, InsertAt::LineBelow | InsertAt::LineAbove);
        if is_line {
            self.insert("\n");
        }
        if at == InsertAt::LineAbove {
            self.left();
        }
        let (before, after) = (self.before().to_owned(), self.after().to_owned());
        if let Some(inserting) = &mut self.inserting {
            inserting.place = Some(InsertPlace { before, after, is_line });
        }
    }

    /// All that is typed until the insert mode ends is undone at once.
    pub(super) fn begin_insert(&mut self, count: usize) {
        self.inserting = Some(Box::new(Inserting { undo: self.undo.len(), count, place: None }));
    }

    pub(super) fn end_insert(&mut self) {
        if let Some(inserting) = self.inserting.take() {
            let Inserting { undo, count, place } = *inserting;
            if let Some(one) = place.filter(|_| count > 1).and_then(|place| self.inserted(&place)) {
                let count = count.min((MAX_PUT / one.len().max(1)).max(1));
                self.insert_raw(&one.repeat(count - 1));
            }
            self.undo.truncate(undo.saturating_add(1));
        }
        if self.at > self.line_start() {
            self.left();
        }
    }

    /// What was inserted at a place and is to be repeated. `None`: the cursor has left it, or other text has changed.
    fn inserted(&self, place: &InsertPlace) -> Option<String> {
        let text = self.before().strip_prefix(place.before.as_str())?;
        (self.after() == place.after).then(|| format!("{}{text}", if place.is_line { "\n" } else { "" }))
    }
}
