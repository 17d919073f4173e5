//! The key that answered a question, while the user may still hold it down.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};

/// Terminals begin to repeat a key that is held down within this time.
const FIRST_REPEAT: Duration = Duration::from_millis(700);
/// They repeat it again within this time.
const NEXT_REPEAT: Duration = Duration::from_millis(400);

/// A key that answered a question. Its repeats are no text, and answer no other question.
#[derive(Debug, Clone, Copy)]
pub(super) struct HeldKey {
    code: KeyCode,
    /// The same key before this time is a repeat.
    until: Instant,
}

impl HeldKey {
    /// This key has just answered a question.
    pub(super) fn new(key: KeyEvent, now: Instant) -> Self {
        Self { code: key.code, until: now + FIRST_REPEAT }
    }

    /// Returns true for a repeat of it, and waits for the next one.
    pub(super) fn repeats(&mut self, key: KeyEvent, now: Instant) -> bool {
        let repeats = key.code == self.code && (key.kind == KeyEventKind::Repeat || now < self.until);
        if repeats {
            self.until = self.until.max(now + NEXT_REPEAT);
        }
        repeats
    }
}
