//! Where vim's motions lead in a text.

use std::ops::Range;

use super::letters::{Class, Letters};
use crate::vim::{Find, Motion};

/// How far a motion reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Up to a place, without the letter there.
    Before(usize),
    /// Up to a place, with the letter there.
    With(usize),
    /// Whole lines up to the one of a place.
    Lines(usize),
}

impl Reach {
    pub(super) fn place(self) -> usize {
        match self {
            Self::Before(place) | Self::With(place) | Self::Lines(place) => place,
        }
    }
}

impl Letters<'_> {
    /// The start of the line this many lines away; `None`: there is no such line.
    fn line_away(&self, at: usize, lines: usize, down: bool) -> Option<usize> {
        let mut start = self.line_start(at);
        for _ in 0..lines {
            start = match down {
                true => Some(self.line_end(start)).filter(|end| *end < self.count()).map(|end| end + 1),
                false => start.checked_sub(1).map(|newline| self.line_start(newline)),
            }?;
        }
        Some(start)
    }

    /// Where a motion leads; `None`: nowhere. `count`: how often; `None`: none was typed.
    pub(super) fn reach(&self, at: usize, motion: Motion, count: Option<usize>) -> Option<Reach> {
        let times = count.unwrap_or(1).min(self.count() + 1);
        let repeated = |step: &dyn Fn(usize) -> usize| (0..times).fold(at, |at, _| step(at));
        Some(match motion {
            Motion::Left => Reach::Before(at.saturating_sub(times).max(self.line_start(at))),
            Motion::Right => Reach::Before((at + times).min(self.line_end(at))),
            Motion::Down => Reach::Lines(self.line_away(at, times, true)?),
            Motion::Up => Reach::Lines(self.line_away(at, times, false)?),
            Motion::NextWord { big } => Reach::Before(repeated(&|at| self.next_word(at, big))),
            Motion::PreviousWord { big } => Reach::Before(repeated(&|at| self.previous_word(at, big))),
            Motion::WordEnd { big } => Reach::With(repeated(&|at| self.word_end(at, big))),
            Motion::LineStart => Reach::Before(self.line_start(at)),
            Motion::FirstLetter => Reach::Before(self.first_letter(at)),
            Motion::LineEnd => {
                let line = self.line_away(at, times - 1, true)?;
                match self.line_end(line) == self.line_start(line) {
                    true => Reach::Before(line),
                    false => Reach::With(self.last_of_line(line)),
                }
            }
            Motion::FirstLine => Reach::Lines(self.line_number(count.unwrap_or(1))),
            Motion::LastLine => Reach::Lines(match count {
                Some(number) => self.line_number(number),
                None => self.line_start(self.count()),
            }),
            Motion::Find(find) => self.find(at, find, times)?,
            Motion::Lines => {
                let mut line = at;
                for _ in 1..times {
                    line = self.line_away(line, 1, true).unwrap_or(line);
                }
                Reach::Lines(line)
            }
        })
    }

    /// The start of a line by its number, from 1; of the last one if there are fewer.
    fn line_number(&self, number: usize) -> usize {
        let mut start = 0;
        for _ in 1..number.min(self.count() + 1) {
            start = self.line_away(start, 1, true).unwrap_or(start);
        }
        start
    }

    /// Returns true if two neighbours belong to one word.
    fn is_joined(&self, one: usize, other: usize, big: bool) -> bool {
        match (self.class(one), self.class(other)) {
            (Some(Class::Mark), Some(Class::Mark)) => big,
            (Some(one), Some(other)) if big => {
                let is_blank = |class| matches!(class, Class::Space | Class::Newline);
                is_blank(one) == is_blank(other)
            }
            (one, other) => one == other,
        }
    }

    /// An empty line is a word, too.
    fn is_empty_line(&self, at: usize) -> bool {
        self.is_newline(at) && (at == 0 || self.is_newline(at - 1))
    }

    fn next_word(&self, at: usize, big: bool) -> usize {
        let mut next = at;
        if !self.is_blank(at) {
            while next + 1 < self.count() && self.is_joined(next, next + 1, big) {
                next += 1;
            }
        }
        next += 1;
        while next < self.count() && self.is_blank(next) && !self.is_empty_line(next) {
            next += 1;
        }
        next.min(self.count())
    }

    fn previous_word(&self, at: usize, big: bool) -> usize {
        let Some(mut before) = at.checked_sub(1) else { return 0 };
        while before > 0 && self.is_blank(before) && !self.is_empty_line(before) {
            before -= 1;
        }
        while before > 0 && !self.is_blank(before) && self.is_joined(before - 1, before, big) {
            before -= 1;
        }
        before
    }

    fn word_end(&self, at: usize, big: bool) -> usize {
        let mut end = at + 1;
        while end < self.count() && self.is_blank(end) {
            end += 1;
        }
        while end + 1 < self.count() && self.is_joined(end, end + 1, big) {
            end += 1;
        }
        end.min(self.count().saturating_sub(1)).max(at.min(self.count().saturating_sub(1)))
    }

    /// The end of the word at a place, and of those behind it: what a change of words reaches.
    pub(super) fn end_of_words(&self, at: usize, big: bool, times: usize) -> Reach {
        let mut end = at;
        while end + 1 < self.count() && self.is_joined(end, end + 1, big) {
            end += 1;
        }
        Reach::With((1..times.min(self.count() + 1)).fold(end, |end, _| self.word_end(end, big)))
    }

    /// The end of what an operator takes of the words up to a place: the newline behind the last of them stays.
    pub(super) fn before_newline(&self, at: usize, end: usize) -> usize {
        let word = (at..end).rev().find(|index| !self.is_blank(*index));
        let newline = (word.unwrap_or(at)..end).find(|index| self.is_newline(*index));
        newline.unwrap_or(end)
    }

    fn find(&self, at: usize, find: Find, times: usize) -> Option<Reach> {
        let is_it = |index: &usize| self.letter(*index).starts_with(find.letter);
        let (start, end) = (self.line_start(at), self.line_end(at));
        let passes = find.until && find.again && times == 1;
        if find.forward {
            let from = at + if passes { 2 } else { 1 };
            let found = (from..end).filter(is_it).nth(times - 1)?;
            return Some(Reach::With(found - usize::from(find.until)));
        }
        let upto = if passes { at.saturating_sub(1) } else { at };
        let found = (start..upto.max(start)).rev().filter(is_it).nth(times - 1)?;
        Some(Reach::Before(found + usize::from(find.until)))
    }

    /// The word at a place, or the white space there; with the white space behind it, else before it, if `around`.
    pub(super) fn word_at(&self, at: usize, around: bool, big: bool, times: usize) -> Option<Range<usize>> {
        if at >= self.count() || self.is_newline(at) {
            return None;
        }
        let joined = |one: usize, other: usize| {
            self.is_joined(one, other, big) && !self.is_newline(one) && !self.is_newline(other)
        };
        let mut from = at;
        while from > 0 && joined(from - 1, from) {
            from -= 1;
        }
        let line_end = self.line_end(at);
        let mut upto = at;
        let run = |from: usize| {
            let mut end = from + 1;
            while end < line_end && joined(end - 1, end) {
                end += 1;
            }
            end
        };
        let pieces = times.min(self.count()) * if around { 2 } else { 1 };
        for _ in 0..pieces {
            if upto >= line_end {
                break;
            }
            upto = run(upto);
        }
        let has_space = (at..upto).any(|index| self.class(index) == Some(Class::Space));
        if around && !has_space {
            while from > self.line_start(at) && self.class(from - 1) == Some(Class::Space) {
                from -= 1;
            }
        }
        Some(from..upto)
    }
}
