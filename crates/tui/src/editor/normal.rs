//! The commands of vim's normal mode, carried out on the text.

use std::ops::Range;

use super::letters::{Class, Letters};
use super::motion::Reach;
use super::{CutText, Editor};
use crate::vim::{Motion, Operator, Target, VimCommand};

/// Maximum characters of a repeated put.
pub(super) const MAX_PUT: usize = 1 << 20;

/// What an operator works on, in letters.
#[derive(Debug)]
enum Span {
    Letters(Range<usize>),
    /// Whole lines: from the start of the first to the end of the last, without its newline.
    Lines(Range<usize>),
}

impl Editor {
    /// Carries out a command. Returns false if it is a motion up or down from the first or the last row: that is for
    /// earlier inputs.
    pub(crate) fn run(&mut self, command: VimCommand, columns: usize) -> bool {
        self.typing = false;
        match command {
            VimCommand::Move { motion, count } => return self.go(motion, count, columns),
            VimCommand::Operate { operator, target, count } => self.operate(operator, target, count),
            VimCommand::Insert { at, count } => self.insert_at(at, count),
            VimCommand::Replace { letter, count } => self.replace(letter, count),
            VimCommand::ToggleCase { count } => self.toggle_case(count),
            VimCommand::Join { count } => self.join(count),
            VimCommand::Put { before, count } => self.put(before, count),
            VimCommand::Undo { count } => (0..count).take_while(|_| self.undo_change()).for_each(drop),
            VimCommand::Redo { count } => (0..count).take_while(|_| self.redo_change()).for_each(drop),
            VimCommand::EndInsert => self.end_insert(),
        }
        if self.inserting.is_none() {
            self.stand_on_letter();
        }
        true
    }

    pub(super) fn letters(&self) -> Letters<'_> {
        let stops = self.stops();
        Letters::of(&self.text, stops.all(), stops.marks())
    }

    /// The cursor of the normal mode stands on a letter, not behind the last one of its line.
    pub(crate) fn stand_on_letter(&mut self) {
        let letters = self.letters();
        let at = letters.index(self.at);
        self.at = letters.offset(at.min(letters.last_of_line(at)));
    }

    fn go(&mut self, motion: Motion, count: Option<usize>, columns: usize) -> bool {
        if matches!(motion, Motion::Up | Motion::Down) {
            let mut moved = false;
            for _ in 0..count.unwrap_or(1) {
                let one = if motion == Motion::Up { self.up(columns) } else { self.down(columns) };
                moved |= one;
                if !one {
                    break;
                }
            }
            self.stand_on_letter();
            return moved;
        }
        let letters = self.letters();
        let at = letters.index(self.at);
        let Some(reach) = letters.reach(at, motion, count) else { return true };
        let place = match reach {
            Reach::Lines(line) => letters.first_letter(line),
            other => other.place(),
        };
        self.at = letters.offset(place);
        self.stand_on_letter();
        true
    }

    /// The part of the text that an operator works on; `None`: there is nothing.
    fn span(&self, operator: Operator, target: Target, count: Option<usize>) -> Option<Span> {
        let letters = self.letters();
        let at = letters.index(self.at);
        let motion = match target {
            Target::Word { around, big } => {
                return letters.word_at(at, around, big, count.unwrap_or(1)).map(Span::Letters);
            }
            Target::Motion(motion) => motion,
        };
        let is_word = matches!(letters.class(at), Some(Class::Word | Class::Sign | Class::Mark));
        let reach = match motion {
            // It leaves the white space behind the word.
            Motion::NextWord { big } if operator == Operator::Change && is_word => {
                letters.end_of_words(at, big, count.unwrap_or(1))
            }
            Motion::NextWord { .. } => {
                let end = letters.reach(at, motion, count)?.place();
                Reach::Before(letters.before_newline(at, end))
            }
            motion => letters.reach(at, motion, count)?,
        };
        Some(match reach {
            Reach::Before(to) => Span::Letters(at.min(to)..at.max(to)),
            Reach::With(to) => Span::Letters(at.min(to)..(at.max(to) + 1).min(letters.count())),
            Reach::Lines(line) => {
                let (first, last) = (at.min(line), at.max(line));
                Span::Lines(letters.line_start(first)..letters.line_end(last))
            }
        })
    }

    fn operate(&mut self, operator: Operator, target: Target, count: Option<usize>) {
        if operator == Operator::Change {
            self.begin_insert(1);
        }
        let Some(span) = self.span(operator, target, count) else { return };
        let letters = self.letters();
        let (range, is_lines) = match &span {
            Span::Letters(range) => (range.clone(), false),
            Span::Lines(range) => (range.clone(), true),
        };
        if range.is_empty() && !is_lines {
            return;
        }
        let (from, to) = (letters.offset(range.start), letters.offset(range.end));
        // Of deleted lines the newline behind them goes, or the one before the last line.
        let (cut_from, cut_to) = match (range.end < letters.count(), range.start.checked_sub(1)) {
            (true, _) => (from, letters.offset(range.end + 1)),
            (false, Some(newline)) => (letters.offset(newline), to),
            (false, None) => (from, to),
        };
        let text = self.text.get(from..to).unwrap_or_default().to_owned();
        self.killed = CutText { text, pastes: self.pastes.clone(), lines: is_lines };
        match (operator, is_lines) {
            (Operator::Yank, false) => self.at = from,
            (Operator::Yank, true) => self.at = self.at.min(from.max(self.line_start())),
            (Operator::Delete, true) => {
                self.cut(cut_from, cut_to);
                let letters = self.letters();
                self.at = letters.offset(letters.first_letter(letters.index(self.at)));
            }
            (Operator::Delete | Operator::Change, _) => drop(self.cut(from, to)),
        }
    }

    fn replace(&mut self, letter: char, count: usize) {
        let letters = self.letters();
        let at = letters.index(self.at);
        let end = at.saturating_add(count);
        if end > letters.line_end(at) {
            return;
        }
        let (from, to) = (letters.offset(at), letters.offset(end));
        let new = if letter == '\n' { "\n".to_owned() } else { letter.to_string().repeat(count) };
        self.exchange(from, to, &new);
        if letter != '\n' {
            self.left();
        }
    }

    fn toggle_case(&mut self, count: usize) {
        let letters = self.letters();
        let at = letters.index(self.at);
        let end = at.saturating_add(count).min(letters.line_end(at));
        if at == end {
            return;
        }
        let toggled = |index: usize| match letters.class(index) {
            Some(Class::Word) => letters.letter(index).chars().map(toggled).collect(),
            _ => letters.letter(index).to_owned(),
        };
        let new: String = (at..end).map(toggled).collect();
        let (from, to) = (letters.offset(at), letters.offset(end));
        self.exchange(from, to, &new);
    }

    fn join(&mut self, count: usize) {
        for _ in 1..count.max(2) {
            let letters = self.letters();
            let newline = letters.line_end(letters.index(self.at));
            if newline >= letters.count() {
                return;
            }
            let is_blank = |index: usize| letters.class(index) == Some(Class::Space);
            let mut next = newline + 1;
            while is_blank(next) {
                next += 1;
            }
            let ends_blank = newline == 0 || is_blank(newline - 1) || next >= letters.count();
            let glue = if ends_blank || letters.letter(next) == ")" { "" } else { " " };
            let (from, to) = (letters.offset(newline), letters.offset(next));
            self.exchange(from, to, glue);
            self.at = self.stops().at_or_before(from);
        }
    }

    fn put(&mut self, before: bool, count: usize) {
        let killed = self.killed.clone();
        if killed.text.is_empty() && !killed.lines {
            return;
        }
        self.remember(false);
        let one = self.pastes.adopt(&killed.text, &killed.pastes, &self.text);
        let count = count.min((MAX_PUT / one.len().max(1)).max(1));
        let letters = self.letters();
        let at = letters.index(self.at);
        if !killed.lines {
            let place = if before { at } else { (at + 1).min(letters.line_end(at)) };
            self.at = letters.offset(place);
            self.insert_raw(&one.repeat(count));
            self.at = self.stops().left(self.at);
            return;
        }
        let all = vec![one; count].join("\n");
        let (start, end) = (letters.offset(letters.line_start(at)), letters.offset(letters.line_end(at)));
        let first = if before {
            self.at = start;
            self.insert_raw(&format!("{all}\n"));
            start
        } else {
            self.at = end;
            self.insert_raw(&format!("\n{all}"));
            end + 1
        };
        let letters = self.letters();
        self.at = letters.offset(letters.first_letter(letters.index(first)));
    }

    /// Puts another text in place of a part.
    fn exchange(&mut self, from: usize, to: usize, new: &str) {
        self.remember(false);
        self.text.replace_range(from..to, new);
        self.at = self.stops().at_or_after(from + new.len());
    }
}

/// A letter in the other case.
fn toggled(letter: char) -> String {
    if letter.is_uppercase() { letter.to_lowercase().collect() } else { letter.to_uppercase().collect() }
}
