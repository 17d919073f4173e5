//! The time limit of a task. It cancels the turn, as Ctrl-C does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use throughline_tools::CancelFlag;
use tokio::task::JoinHandle;

/// Cancels when the time is over, unless dropped before.
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
            // A run that the user interrupted did not run out of time.
            raised.store(!cancel.is_cancelled(), Ordering::SeqCst);
            cancel.cancel();
        });
        Self { over, watcher }
    }

    /// Returns true if the time limit cancelled the run.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::SeqCst)
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.watcher.abort();
    }
}
