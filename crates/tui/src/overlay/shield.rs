//! Protects questions from keys that were meant for the input.

use std::time::{Duration, Instant};

/// A user who typed this shortly before a question appears is still typing.
const TYPING: Duration = Duration::from_millis(1_000);
/// Time after the last key during which keys of such a user go to the input.
const SHIELD: Duration = Duration::from_millis(700);
/// A key within this time was pressed before the user could read the question.
const GLANCE: Duration = Duration::from_millis(400);

/// Until when keys go to the input, because the user is still typing.
#[derive(Debug, Default)]
pub(super) struct Shield(Option<Instant>);

impl Shield {
    /// A question appears. `typed`: when the last key was pressed.
    pub(super) fn raise(&mut self, typed: Option<Instant>, now: Instant) {
        if typed.is_some_and(|typed| now.saturating_duration_since(typed) < TYPING) {
            self.0 = Some(now + SHIELD);
        }
    }

    /// A key or a paste came while keys go to the input: more of it may follow.
    pub(super) fn extend(&mut self, now: Instant) {
        self.0 = Some(now + SHIELD);
    }

    /// Returns true while keys go to the input. `seen`: when the question first appeared on the screen.
    pub(super) fn holds(&self, seen: Option<Instant>, now: Instant) -> bool {
        seen.is_none_or(|seen| now < seen + GLANCE) || self.holds_typing(now)
    }

    /// The same for a question that the user asked for, which needs no time to be read.
    pub(super) fn holds_typing(&self, now: Instant) -> bool {
        self.0.is_some_and(|until| now < until)
    }
}
