//! What an edit changes, in its place.

/// A part of a file before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EditExcerpt {
    /// Number of its first line in the file, from 1.
    pub first_line: usize,
    /// Its lines before the change.
    pub old: String,
    /// Its lines after the change.
    pub new: String,
}

impl EditExcerpt {
    /// Number of the first line that changes; `None`: none does.
    pub(crate) fn first_changed_line(&self) -> Option<usize> {
        if self.old == self.new {
            return None;
        }
        let same = self.old.lines().zip(self.new.lines()).take_while(|(old, new)| old == new).count();
        Some(self.first_line + same)
    }
}
