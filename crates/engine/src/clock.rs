//! The clock port.

use std::fmt::Debug;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use throughline_conversation::Millis;

/// The time of day.
///
/// # Contract
/// MUST return milliseconds since the Unix epoch, UTC. Need not be monotonic: the log is ordered by record numbers.
///
/// # When it fails
/// It does not fail: a clock before the epoch returns 0.
pub trait Clock: Debug + Send + Sync {
    /// Now.
    fn now(&self) -> Millis;
}

const _: Option<&dyn Clock> = None;

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that a program advances: replays and tests give the same records every time.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicI64);

impl ManualClock {
    /// Advances the clock.
    pub fn advance(&self, millis: i64) {
        self.0.fetch_add(millis, Ordering::Relaxed);
    }

    /// Advances the clock to this time. A time before now changes nothing.
    pub fn advance_to(&self, time: Millis) {
        self.0.fetch_max(time.0, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Millis {
        Millis(self.0.load(Ordering::Relaxed))
    }
}
