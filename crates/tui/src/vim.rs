//! Vim's keys in the input: a state machine from keys to commands. It knows no text; `editor` carries the commands out.
//!
//! It is not `modalkit` (0.0.25), whose commands edit buffers of its own, nor `vimltui` (0.2), an editor with a widget: the text here
//! is the input's, in which a folded paste is one letter.

mod command;

use crossterm::event::KeyCode;

use crate::keyboard::KeyPress;

pub(crate) use command::{Find, InsertAt, Motion, Operator, Target, VimCommand};

/// The largest count: more repeats nothing in an input.
const MAX_COUNT: usize = 10_000;

/// What letters do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum VimMode {
    /// They are text.
    #[default]
    Insert,
    /// They are commands.
    Normal,
}

/// What a key leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VimStep {
    /// The key has its usual meaning.
    Usual,
    /// It is a part of a command, or none.
    Taken,
    Run(VimCommand),
}

/// What the next key belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pending {
    /// A second key of `g`.
    Go,
    /// The letter of `f`, `F`, `t` or `T`.
    Find { forward: bool, until: bool },
    /// The letter of `r`.
    Replace,
    /// The kind of a text object.
    Object { around: bool },
}

/// The mode, and the keys of a command so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vim {
    mode: VimMode,
    count: Option<usize>,
    /// The operator with the count before it.
    operator: Option<(Operator, Option<usize>)>,
    pending: Option<Pending>,
    find: Option<Find>,
}

impl Vim {
    pub(crate) fn mode(&self) -> VimMode {
        self.mode
    }

    /// Letters are text from now on; keys of an unfinished command are dropped.
    pub(crate) fn insert(&mut self) {
        self.mode = VimMode::Insert;
        self.drop_keys();
    }

    fn drop_keys(&mut self) {
        (self.count, self.operator, self.pending) = (None, None, None);
    }

    /// The keys of an unfinished command, as typed; empty: there are none.
    pub(crate) fn typed(&self) -> String {
        let count = |count: Option<usize>| count.map_or_else(String::new, |count| count.to_string());
        let operator = self.operator.map_or_else(String::new, |(operator, before)| {
            let letter = match operator {
                Operator::Delete => 'd',
                Operator::Change => 'c',
                Operator::Yank => 'y',
            };
            format!("{}{letter}", count(before))
        });
        let pending = match self.pending {
            None => "",
            Some(Pending::Go) => "g",
            Some(Pending::Find { forward: true, until: false }) => "f",
            Some(Pending::Find { forward: false, until: false }) => "F",
            Some(Pending::Find { forward: true, until: true }) => "t",
            Some(Pending::Find { forward: false, until: true }) => "T",
            Some(Pending::Replace) => "r",
            Some(Pending::Object { around: true }) => "a",
            Some(Pending::Object { around: false }) => "i",
        };
        format!("{operator}{}{pending}", count(self.count))
    }

    /// Takes a key. `empty`: the input has no text.
    pub(crate) fn key(&mut self, key: KeyPress, empty: bool) -> VimStep {
        if self.mode == VimMode::Insert {
            if key.code != KeyCode::Esc {
                return VimStep::Usual;
            }
            self.mode = VimMode::Normal;
            return VimStep::Run(VimCommand::EndInsert);
        }
        if key.code == KeyCode::Esc {
            let unfinished = !self.typed().is_empty();
            self.drop_keys();
            return if unfinished { VimStep::Taken } else { VimStep::Usual };
        }
        if key.is_control('r') && self.operator.is_none() {
            return self.run(|count| VimCommand::Redo { count: count.unwrap_or(1) });
        }
        // Keyboards that write signs with AltGr report both.
        let is_plain = |letter: char| match (key.control, key.alt) {
            (control, alt) if control == alt => !control || !letter.is_ascii_alphanumeric(),
            _ => false,
        };
        match key.code {
            KeyCode::Char(letter) if is_plain(letter) => self.letter(letter, empty),
            KeyCode::Enter if self.pending == Some(Pending::Replace) => self.letter('\n', empty),
            KeyCode::Backspace if !key.control && !key.alt => self.motion(Motion::Left),
            KeyCode::Delete => self.operate(Operator::Delete, Target::Motion(Motion::Right)),
            _ => {
                self.drop_keys();
                VimStep::Usual
            }
        }
    }

    fn letter(&mut self, letter: char, empty: bool) -> VimStep {
        if let Some(pending) = self.pending.take() {
            return self.second(pending, letter);
        }
        if let Some(digit) = letter.to_digit(10).filter(|digit| *digit > 0 || self.count.is_some()) {
            let count = self.count.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize);
            self.count = Some(count.min(MAX_COUNT));
            return VimStep::Taken;
        }
        if let Some(motion) = self.motion_of(letter) {
            return self.motion(motion);
        }
        match (letter, self.operator) {
            ('f' | 't' | 'F' | 'T', _) => {
                let (forward, until) = (letter.is_lowercase(), letter.eq_ignore_ascii_case(&'t'));
                self.wait(Pending::Find { forward, until })
            }
            ('g', _) => self.wait(Pending::Go),
            ('i' | 'a', Some(_)) => self.wait(Pending::Object { around: letter == 'a' }),
            ('d', Some((Operator::Delete, _)))
            | ('c', Some((Operator::Change, _)))
            | ('y', Some((Operator::Yank, _))) => self.motion(Motion::Lines),
            (_, Some(_)) => {
                self.drop_keys();
                VimStep::Taken
            }
            ('d', None) => self.begin(Operator::Delete),
            ('c', None) => self.begin(Operator::Change),
            ('y', None) => self.begin(Operator::Yank),
            ('/' | '!' | '#' | '@', None) if empty => {
                // Only here do they begin something: a command, or a path.
                self.insert();
                VimStep::Usual
            }
            ('?', None) if empty => VimStep::Usual,
            (letter, None) => self.command(letter),
        }
    }

    fn motion_of(&self, letter: char) -> Option<Motion> {
        Some(match letter {
            'h' => Motion::Left,
            'l' | ' ' => Motion::Right,
            'j' => Motion::Down,
            'k' => Motion::Up,
            'w' | 'W' => Motion::NextWord { big: letter == 'W' },
            'b' | 'B' => Motion::PreviousWord { big: letter == 'B' },
            'e' | 'E' => Motion::WordEnd { big: letter == 'E' },
            '0' => Motion::LineStart,
            '^' | '_' => Motion::FirstLetter,
            '$' => Motion::LineEnd,
            'G' => Motion::LastLine,
            ';' | ',' => {
                let find = self.find?;
                Motion::Find(Find { forward: find.forward == (letter == ';'), again: true, ..find })
            }
            _ => return None,
        })
    }

    fn second(&mut self, pending: Pending, letter: char) -> VimStep {
        match (pending, letter) {
            (Pending::Go, 'g') => self.motion(Motion::FirstLine),
            (Pending::Find { forward, until }, letter) => {
                let find = Find { letter, forward, until, again: false };
                self.find = Some(find);
                self.motion(Motion::Find(find))
            }
            (Pending::Replace, letter) => {
                self.run(|count| VimCommand::Replace { letter, count: count.unwrap_or(1) })
            }
            (Pending::Object { around }, 'w' | 'W') => {
                self.object(Target::Word { around, big: letter == 'W' })
            }
            _ => {
                self.drop_keys();
                VimStep::Taken
            }
        }
    }

    fn command(&mut self, letter: char) -> VimStep {
        let right = Target::Motion(Motion::Right);
        let (end, lines) = (Target::Motion(Motion::LineEnd), Target::Motion(Motion::Lines));
        match letter {
            'x' => self.operate(Operator::Delete, right),
            'X' => self.operate(Operator::Delete, Target::Motion(Motion::Left)),
            's' => self.operate(Operator::Change, right),
            'S' => self.operate(Operator::Change, lines),
            'D' => self.operate(Operator::Delete, end),
            'C' => self.operate(Operator::Change, end),
            'Y' => self.operate(Operator::Yank, lines),
            'i' => self.insert_at(InsertAt::Cursor),
            'a' => self.insert_at(InsertAt::Behind),
            'I' => self.insert_at(InsertAt::FirstLetter),
            'A' => self.insert_at(InsertAt::LineEnd),
            'o' => self.insert_at(InsertAt::LineBelow),
            'O' => self.insert_at(InsertAt::LineAbove),
            'r' => self.wait(Pending::Replace),
            '~' => self.run(|count| VimCommand::ToggleCase { count: count.unwrap_or(1) }),
            'J' => self.run(|count| VimCommand::Join { count: count.unwrap_or(2) }),
            'p' | 'P' => {
                self.run(|count| VimCommand::Put { before: letter == 'P', count: count.unwrap_or(1) })
            }
            'u' => self.run(|count| VimCommand::Undo { count: count.unwrap_or(1) }),
            _ => {
                self.drop_keys();
                VimStep::Taken
            }
        }
    }

    fn wait(&mut self, pending: Pending) -> VimStep {
        self.pending = Some(pending);
        VimStep::Taken
    }

    fn begin(&mut self, operator: Operator) -> VimStep {
        self.operator = Some((operator, self.count.take()));
        VimStep::Taken
    }

    /// A motion: of the operator that waits for one, or of the cursor.
    fn motion(&mut self, motion: Motion) -> VimStep {
        match self.operator {
            Some(_) => self.object(Target::Motion(motion)),
            None => self.run(|count| VimCommand::Move { motion, count }),
        }
    }

    /// What the operator that waits works on.
    fn object(&mut self, target: Target) -> VimStep {
        let Some((operator, before)) = self.operator else {
            self.drop_keys();
            return VimStep::Taken;
        };
        // 2d3w deletes six words.
        self.count = match (before, self.count) {
            (Some(one), Some(other)) => Some(one.saturating_mul(other).min(MAX_COUNT)),
            (one, other) => one.or(other),
        };
        self.operate(operator, target)
    }

    fn operate(&mut self, operator: Operator, target: Target) -> VimStep {
        let step = self.run(|count| VimCommand::Operate { operator, target, count });
        if operator == Operator::Change {
            self.mode = VimMode::Insert;
        }
        step
    }

    fn insert_at(&mut self, at: InsertAt) -> VimStep {
        let step = self.run(|count| VimCommand::Insert { at, count: count.unwrap_or(1) });
        self.mode = VimMode::Insert;
        step
    }

    fn run(&mut self, command: impl FnOnce(Option<usize>) -> VimCommand) -> VimStep {
        let command = command(self.count);
        self.drop_keys();
        VimStep::Run(command)
    }
}

#[cfg(test)]
mod tests;
