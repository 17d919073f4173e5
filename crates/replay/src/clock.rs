//! The clock of a replay: it shows the recorded time.

use throughline_agent::{Clock, ManualClock};
use throughline_conversation::Millis;

/// Shows the time of the newest recorded message. Starts at 0, and never goes back.
#[derive(Debug)]
pub struct ReplayClock {
    time: ManualClock,
    runs: bool,
}

impl ReplayClock {
    /// A clock that follows the recording, or one that always shows 0.
    #[must_use]
    pub fn new(runs: bool) -> Self {
        Self { time: ManualClock::default(), runs }
    }

    /// Advances to a recorded time, if there is one.
    pub fn advance_to(&self, time: Option<Millis>) {
        if let Some(time) = time.filter(|_| self.runs) {
            self.time.advance_to(time);
        }
    }
}

impl Clock for ReplayClock {
    fn now(&self) -> Millis {
        self.time.now()
    }
}
