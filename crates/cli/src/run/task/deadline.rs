//! The end of a task's time: it cancels what runs, as Ctrl-C would.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use throughline_tools::CancelFlag;
use tokio::task::JoinHandle;

/// Cancels when the time is over, unless it is dropped before.
#[derive(Debug)]
pub(super) struct Deadline {
    over: Arc<AtomicBool>,
    watcher: JoinHandle<()>,
}

impl Deadline {
    pub(super) fn start(left: Duration, cancel: CancelFlag) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&over);
        let watcher = tokio::spawn(async move {
            tokio::time::sleep(left).await;
            // Somebody who has interrupted the run is not told that its time is over.
            raised.store(!cancel.is_cancelled(), Ordering::SeqCst);
            cancel.cancel();
        });
        Self { over, watcher }
    }

    /// Whether it was the time that cancelled.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.watcher.abort();
    }
}
