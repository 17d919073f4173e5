//! Which summary is written while the session works, and what those have cost that no compaction used.

use throughline_conversation::Millis;

/// Share of what the session has paid that summaries which are thrown away may cost.
const THROWN_AWAY: f64 = 0.02;

/// The summaries that are written ahead of compactions. Prices are in token-equivalents.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ahead {
    /// The loop runs the requests for them while the session works.
    enabled: bool,
    /// Number of the newest.
    last: u64,
    /// The one that is being written.
    writing: Option<u64>,
    /// A compaction waits for one.
    wanted: bool,
    /// The last one could not be written; no compaction waits before the next view.
    failed: bool,
    /// When it was begun.
    begun: Millis,
    /// How long the last one took, in milliseconds; `None`: none was written.
    took: Option<u64>,
    paid: f64,
    thrown_away: f64,
}

impl Ahead {
    /// Without any yet. `enabled`: the loop runs the requests for them.
    pub(crate) fn new(enabled: bool) -> Self {
        Self { enabled, ..Self::default() }
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled
    }

    pub(crate) fn is_writing(&self) -> bool {
        self.writing.is_some()
    }

    /// Returns true if a summary of this price may be begun.
    pub(crate) fn may_begin(&self, price: f64) -> bool {
        // Until one is thrown away, each is expected to be used.
        let is_cheap = self.thrown_away <= 0.0 || self.thrown_away + price <= THROWN_AWAY * self.paid;
        self.enabled && !self.is_writing() && !self.failed && is_cheap
    }

    /// A compaction waits for a summary.
    pub(crate) fn want(&mut self) {
        self.wanted = true;
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// How long the last one took, in milliseconds.
    pub(crate) fn took(&self) -> Option<u64> {
        self.took
    }

    /// A summary is being written. Returns its number.
    pub(crate) fn begin(&mut self, now: Millis) -> u64 {
        self.last += 1;
        (self.writing, self.wanted, self.begun) = (Some(self.last), false, now);
        self.last
    }

    /// It was written, or could not be. Returns false if no compaction can use it any more.
    pub(crate) fn end(&mut self, number: u64, written: bool, now: Millis) -> bool {
        if written && number == self.last {
            self.took = Some(now.0.saturating_sub(self.begun.0).max(0).unsigned_abs());
        }
        let is_current = self.writing == Some(number);
        if is_current {
            (self.writing, self.failed) = (None, !written);
        }
        is_current && written
    }

    /// What is being written was stopped. Returns false if nothing is being written.
    pub(crate) fn abandon(&mut self) -> bool {
        self.writing.take().is_some()
    }

    /// The view has changed: what is being written is of messages that it no longer shows.
    pub(crate) fn forget(&mut self) {
        (self.writing, self.wanted, self.failed) = (None, false, false);
    }

    /// Counts what the session has paid.
    pub(crate) fn pay(&mut self, price: f64) {
        self.paid += price;
    }

    /// Counts a summary that no compaction used.
    pub(crate) fn throw_away(&mut self, price: f64) {
        self.thrown_away += price;
    }
}

#[cfg(test)]
mod tests;
