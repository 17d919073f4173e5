//! Waits until the size of the terminal has settled.

use std::time::{Duration, Instant};

/// Time after a resize in which another one may follow that the program does not know of yet: tmux reports it up to a quarter of a
/// second later. What is drawn for a size that is no longer true cannot be cleared.
const SETTLING: Duration = Duration::from_millis(300);

/// Whether the terminal may have another size than the one that is known.
#[derive(Debug, Default)]
pub(super) struct Settling {
    until: Option<Instant>,
    /// The first resize for a while, which is drawn at once.
    is_first: bool,
}

impl Settling {
    pub(super) fn resized(&mut self, now: Instant) {
        self.is_first = self.until.is_none_or(|until| now >= until);
        self.until = Some(now + SETTLING);
    }

    pub(super) fn painted(&mut self) {
        self.is_first = false;
    }

    /// Until when nothing is drawn.
    pub(super) fn until(&self, now: Instant) -> Option<Instant> {
        self.until.filter(|until| !self.is_first && now < *until)
    }
}
