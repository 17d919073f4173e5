//! Protects questions from keys that were meant for the input.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent};

/// A user who typed this shortly before a question appears is still typing.
const TYPING: Duration = Duration::from_millis(1_000);
/// Time after the last key during which keys of such a user go to the input.
const SHIELD: Duration = Duration::from_millis(700);
/// A key within this time was pressed before the user could read the question.
const GLANCE: Duration = Duration::from_millis(400);

/// A moment, and what the input holds then.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) now: Instant,
    /// The input holds a text: keys belong to it until the user moves to the question.
    pub(crate) has_draft: bool,
}

/// Whether keys go to the input.
#[derive(Debug, Default)]
pub(super) struct Shield {
    /// The user is still typing until then.
    typing: Option<Instant>,
    /// The user moved from a text in the input to the question.
    entered: bool,
}

impl Shield {
    /// A question appears. `typed`: when the last key was pressed.
    pub(super) fn raise(&mut self, typed: Option<Instant>, now: Instant) {
        self.entered = false;
        if typed.is_some_and(|typed| now.saturating_duration_since(typed) < TYPING) {
            self.extend(now);
        }
    }

    /// A key or a paste came while keys go to the input: more of it may follow.
    pub(super) fn extend(&mut self, now: Instant) {
        self.typing = Some(now + SHIELD);
    }

    /// Returns true if this key moves from a text in the input to the question, where it then is. `seen`: when the question first
    /// appeared on the screen.
    pub(super) fn is_entered_by(&mut self, key: KeyEvent, seen: Option<Instant>, moment: Moment) -> bool {
        let moves = matches!(key.code, KeyCode::Up | KeyCode::Down) && key.modifiers.is_empty();
        let enters = moves && self.holds_draft(moment) && !self.is_too_early(seen, moment.now);
        self.entered |= enters;
        enters
    }

    /// Returns true while keys go to the input. `seen`: when the question first appeared on the screen.
    pub(super) fn holds(&self, seen: Option<Instant>, moment: Moment) -> bool {
        self.holds_draft(moment) || self.is_too_early(seen, moment.now)
    }

    /// Returns true while a text in the input has the keys.
    pub(super) fn holds_draft(&self, moment: Moment) -> bool {
        moment.has_draft && !self.entered
    }

    fn is_too_early(&self, seen: Option<Instant>, now: Instant) -> bool {
        seen.is_none_or(|seen| now < seen + GLANCE) || self.holds_typing(now)
    }

    /// The same for a question that the user asked for, which needs no time to be read.
    pub(super) fn holds_typing(&self, now: Instant) -> bool {
        self.typing.is_some_and(|until| now < until)
    }
}
