//! What an edit changes, in its place.

use crate::diff::counts;

/// A part of a file before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EditExcerpt {
    /// Number of its first line in the file, from 1.
    pub(crate) first_line: usize,
    /// Its lines before the change.
    pub(crate) old: String,
    /// Its lines after the change.
    pub(crate) new: String,
    /// Lines that come, and lines that go.
    pub(crate) changed: (usize, usize),
    /// Places of the text that is replaced everywhere; 1 for any other change.
    pub(crate) places: usize,
}

impl EditExcerpt {
    /// The part of a file that a change is in, whole lines from number `first_line` on, before and after it. Nothing else changes
    /// in the file.
    #[must_use]
    pub fn new(first_line: usize, old: String, new: String) -> Self {
        let changed = counts(&old, &new);
        Self { first_line, old, new, changed, places: 1 }
    }

    /// The same for a text that is replaced in this many places.
    #[must_use]
    pub fn in_places(self, places: usize) -> Self {
        Self { places, ..self }
    }

    /// Number of the first line that changes; `None`: none does.
    pub(crate) fn first_changed_line(&self) -> Option<usize> {
        if self.old == self.new {
            return None;
        }
        let same = self.old.lines().zip(self.new.lines()).take_while(|(old, new)| old == new).count();
        Some(self.first_line + same)
    }
}
