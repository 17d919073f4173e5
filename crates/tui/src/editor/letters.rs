//! The text as a row of letters: what the cursor steps over. All places are indices of letters, so nothing that is done by them can
//! end inside of one.

use std::ops::Range;

/// What a letter belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Newline,
    Space,
    Word,
    Sign,
    /// The marker of a paste, which is one letter and a word of its own.
    Mark,
}

/// The letters of a text: what the cursor steps over.
#[derive(Debug)]
pub(super) struct Letters<'a> {
    text: &'a str,
    /// Where each begins, and the end of the text.
    stops: Vec<usize>,
    classes: Vec<Class>,
}

impl<'a> Letters<'a> {
    /// The letters between these stops of the cursor; `marks` are the markers of pastes.
    pub(super) fn of(text: &'a str, stops: Vec<usize>, marks: &[Range<usize>]) -> Self {
        let class = |pair: &[usize]| {
            let [start, end] = *pair else { return Class::Space };
            let letter = text.get(start..end).unwrap_or_default();
            match letter.chars().next() {
                _ if marks.iter().any(|mark| start < mark.end && mark.start < end) => Class::Mark,
                Some('\n' | '\r') => Class::Newline,
                Some(first) if first.is_whitespace() => Class::Space,
                Some(first) if first.is_alphanumeric() || first == '_' => Class::Word,
                _ => Class::Sign,
            }
        };
        let classes = stops.windows(2).map(class).collect();
        Self { text, stops, classes }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.classes.len()
    }

    /// The byte offset of a letter.
    pub(super) fn offset(&self, index: usize) -> usize {
        self.stops.get(index).copied().unwrap_or(self.text.len())
    }

    /// The letter at a byte offset.
    pub(super) fn index(&self, offset: usize) -> usize {
        self.stops.partition_point(|stop| *stop < offset).min(self.count())
    }

    pub(super) fn class(&self, index: usize) -> Option<Class> {
        self.classes.get(index).copied()
    }

    pub(super) fn letter(&self, index: usize) -> &'a str {
        self.text.get(self.offset(index)..self.offset(index + 1)).unwrap_or_default()
    }

    pub(super) fn is_newline(&self, index: usize) -> bool {
        self.class(index) == Some(Class::Newline)
    }

    pub(super) fn is_blank(&self, index: usize) -> bool {
        matches!(self.class(index), Some(Class::Newline | Class::Space))
    }

    /// The start of the line of a place.
    pub(super) fn line_start(&self, at: usize) -> usize {
        (0..at).rev().find(|index| self.is_newline(*index)).map_or(0, |newline| newline + 1)
    }

    /// The end of the line of a place: its newline, or the end of the text.
    pub(super) fn line_end(&self, at: usize) -> usize {
        (at..self.count()).find(|index| self.is_newline(*index)).unwrap_or(self.count())
    }

    /// The last letter of the line of a place, on which the cursor of the normal mode may stand.
    pub(super) fn last_of_line(&self, at: usize) -> usize {
        let (start, end) = (self.line_start(at), self.line_end(at));
        end.saturating_sub(1).max(start)
    }

    /// The first letter of the line that is no white space.
    pub(super) fn first_letter(&self, at: usize) -> usize {
        let end = self.line_end(at);
        let start = self.line_start(at);
        (start..end).find(|index| !self.is_blank(*index)).unwrap_or(start)
    }
}
