//! The flag that cancels a turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// A flag that is raised once and visible to every clone. It cannot be lowered: each turn gets a new one.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag {
    shared: Arc<SharedFlag>,
}

#[derive(Debug, Default)]
struct SharedFlag {
    raised: AtomicBool,
    notify: Notify,
}

impl CancelFlag {
    /// A new flag, not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag and wakes every waiter.
    pub fn cancel(&self) {
        self.shared.raised.store(true, Ordering::SeqCst);
        self.shared.notify.notify_waiters();
    }

    /// Returns true if the flag is raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.shared.raised.load(Ordering::SeqCst)
    }

    /// Waits until the flag is raised. Returns at once if it already is.
    pub async fn cancelled(&self) {
        // `notified()` registers the waiter, so a flag raised between the two lines still wakes it.
        let raised = self.shared.notify.notified();
        if !self.is_cancelled() {
            raised.await;
        }
    }
}

#[cfg(test)]
mod tests;
