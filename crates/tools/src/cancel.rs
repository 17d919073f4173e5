//! The flag that stops a turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// A flag that is raised once and seen by every clone. It cannot be lowered: each turn gets its own.
#[derive(Debug, Clone, Default)]
pub struct CancelFlag {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    raised: AtomicBool,
    notify: Notify,
}

impl CancelFlag {
    /// A flag that is not raised.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag and wakes everyone who waits for it.
    pub fn cancel(&self) {
        self.inner.raised.store(true, Ordering::SeqCst);
        self.inner.notify.notify_waiters();
    }

    /// Whether the flag is raised.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.inner.raised.load(Ordering::SeqCst)
    }

    /// Waits until the flag is raised; at once when it is already.
    pub async fn cancelled(&self) {
        // A waiter is registered when it is made, so a flag raised between the two lines below still wakes it.
        let raised = self.inner.notify.notified();
        if !self.is_cancelled() {
            raised.await;
        }
    }
}

#[cfg(test)]
mod tests;
