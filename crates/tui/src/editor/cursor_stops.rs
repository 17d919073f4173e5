//! Valid cursor positions in a text: between two grapheme clusters, and never inside the marker of a paste.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::pastes::Pastes;

/// The cursor stops of a text. Offsets are in bytes.
#[derive(Debug)]
pub(super) struct CursorStops<'a> {
    text: &'a str,
    marks: Vec<Range<usize>>,
}

impl<'a> CursorStops<'a> {
    pub(super) fn of(text: &'a str, pastes: &Pastes) -> Self {
        Self { text, marks: pastes.marks(text) }
    }

    fn graphemes(&self) -> impl Iterator<Item = usize> {
        self.text.grapheme_indices(true).map(|(start, _)| start).chain([self.text.len()])
    }

    /// All stops, in order.
    pub(super) fn all(&self) -> Vec<usize> {
        self.graphemes().filter(|at| self.mark_around(*at).is_none()).collect()
    }

    /// The ranges of the markers of pastes.
    pub(super) fn marks(&self) -> &[Range<usize>] {
        &self.marks
    }

    fn mark_around(&self, at: usize) -> Option<&Range<usize>> {
        self.marks.iter().find(|mark| mark.start < at && at < mark.end)
    }

    /// The nearest stop at an offset or before it.
    pub(super) fn at_or_before(&self, mut at: usize) -> usize {
        loop {
            let grapheme = self.graphemes().take_while(|start| *start <= at).last().unwrap_or(0);
            let place = self.mark_around(grapheme).map_or(grapheme, |mark| mark.start);
            if place == at {
                return at;
            }
            // A mark need not begin at a grapheme cluster: it may have joined the one before it.
            at = place;
        }
    }

    /// The nearest stop at an offset or after it.
    pub(super) fn at_or_after(&self, mut at: usize) -> usize {
        loop {
            let grapheme = self.graphemes().find(|start| *start >= at).unwrap_or(self.text.len());
            let place = self.mark_around(grapheme).map_or(grapheme, |mark| mark.end);
            if place == at || place >= self.text.len() {
                return place;
            }
            at = place;
        }
    }

    pub(super) fn left(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.at_or_before(before))
    }

    pub(super) fn right(&self, at: usize) -> usize {
        self.at_or_after(at.saturating_add(1).min(self.text.len()))
    }

    /// The words of the text; a mark is one.
    fn words(&self) -> Vec<Range<usize>> {
        let mut words = Vec::new();
        let (mut from, end) = (0, self.text.len());
        for mark in self.marks.iter().cloned().chain(std::iter::once(end..end)) {
            let between = self.text.get(from..mark.start).unwrap_or_default();
            let found = between.split_word_bound_indices().filter(|(_, word)| is_word(word));
            words.extend(found.map(|(start, word)| from + start..from + start + word.len()));
            from = mark.end;
            words.push(mark);
        }
        words
    }

    /// The start of the word before an offset.
    pub(super) fn word_left(&self, at: usize) -> usize {
        let start = self.words().iter().rev().find(|word| word.start < at).map_or(0, |word| word.start);
        self.at_or_before(start)
    }

    /// The end of the word after an offset.
    pub(super) fn word_right(&self, at: usize) -> usize {
        let end = self.words().iter().find(|word| word.end > at).map_or(self.text.len(), |word| word.end);
        self.at_or_after(end)
    }
}

fn is_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
