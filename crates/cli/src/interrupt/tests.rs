//! Tests of the signals of this process.

use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Signal, getpid, kill_process};

use throughline::ports::CancelFlag;

use super::watch;

/// The only thread of the runtime computes, and polls no task.
#[tokio::test(flavor = "current_thread")]
async fn a_signal_counts_while_the_runtime_is_busy() {
    let cancel = CancelFlag::new();
    let watcher = watch(cancel.clone(), || {});
    kill_process(getpid(), Signal::INT).unwrap();
    let begun = Instant::now();
    while !cancel.is_cancelled() && begun.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(5));
    }
    watcher.abort();
    assert!(cancel.is_cancelled());
}
