//! How long turns take, so that a client that was refused knows when to ask again.

use std::collections::VecDeque;

/// Turns that count: the newest.
const COUNTED: usize = 32;

/// Seconds of a wait about which nothing is known.
const UNKNOWN: u64 = 5;

/// Longest wait in seconds: a turn may end much earlier than most.
const LONGEST: u64 = 60;

/// How long the newest turns took, in milliseconds.
#[derive(Debug, Default)]
pub(super) struct TurnPace(VecDeque<i64>);

impl TurnPace {
    /// A turn has ended after this many milliseconds.
    pub(super) fn took(&mut self, ms: i64) {
        self.0.push_back(ms.max(0));
        if self.0.len() > COUNTED {
            self.0.pop_front();
        }
    }

    /// Seconds after which a place may be free, if the oldest turn has run for this many milliseconds: the rest of the time that
    /// half of the turns take. Where no turn has ended yet, or this one takes longer than most, that is not known.
    pub(super) fn wait(&self, age_ms: i64) -> u64 {
        let mut sorted: Vec<i64> = self.0.iter().copied().collect();
        sorted.sort_unstable();
        let Some(usual) = sorted.get(sorted.len() / 2) else { return UNKNOWN };
        match u64::try_from(usual - age_ms) {
            Ok(rest) if rest > 0 => rest.div_ceil(1_000).min(LONGEST),
            _ => UNKNOWN,
        }
    }
}

#[cfg(test)]
mod tests;
