//! Ctrl-C, SIGTERM and a closed terminal: they end the turns; the sessions can be resumed.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use throughline::ports::CancelFlag;
use throughline_terminal::leave;
use tokio::runtime::Builder;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

/// Signals this soon after the first one are the same request to end: timeout(1) signals the process and then its group.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// Time for the last words of a program that is ended at once.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The thread that waits for signals.
#[derive(Debug)]
pub(crate) struct SignalWatcher(Option<AbortHandle>);

impl SignalWatcher {
    /// From here on a signal does what the system does by itself.
    pub(crate) fn abort(&self) {
        self.0.iter().for_each(AbortHandle::abort);
    }
}

/// Raises the flag at the first signal, and ends the process at the next one after [`SAME_REQUEST`]; `last_words` prints
/// the result then. Signals count from the call on. They have a thread of their own, so that a thread that computes does
/// not delay them.
pub(crate) fn watch(cancel: CancelFlag, last_words: impl FnOnce() + Send + 'static) -> SignalWatcher {
    let (sender, receiver) = channel();
    // Without a thread or a runtime for it, the system ends the process at a signal.
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return };
        let signals = {
            let _entered = runtime.enter();
            Signals::listen()
        };
        let task = runtime.spawn(follow(signals, cancel, last_words));
        let _ = sender.send(task.abort_handle());
        // An error says that it was aborted.
        let _ = runtime.block_on(task);
    });
    SignalWatcher(receiver.recv().ok())
}

async fn follow(mut signals: Signals, cancel: CancelFlag, last_words: impl FnOnce() + Send + 'static) {
    signals.first().await;
    cancel.cancel();
    let mut settling = std::pin::pin!(sleep(SAME_REQUEST));
    loop {
        tokio::select! {
            () = &mut settling => break,
            () = signals.second() => {}
        }
    }
    signals.second().await;
    // The reader of the output may be stuck.
    drop(timeout(LAST_WORDS, tokio::task::spawn_blocking(last_words)).await);
    // The log is consistent at any moment.
    leave(130);
}

#[cfg(unix)]
use unix::Signals;

#[cfg(unix)]
mod unix {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    use throughline_terminal::ignore_lost_output;

    /// Without a handler the system ends the process; the log stays consistent.
    pub(super) struct Signals {
        interrupt: Option<Signal>,
        terminate: Option<Signal>,
        hangup: Option<Signal>,
    }

    impl Signals {
        pub(super) fn listen() -> Self {
            let hangup = SignalKind::hangup();
            Self {
                interrupt: signal(SignalKind::interrupt()).ok(),
                terminate: signal(SignalKind::terminate()).ok(),
                // A handler would defeat `nohup`.
                hangup: if may_be_ignored(hangup) { None } else { signal(hangup).ok() },
            }
        }

        pub(super) async fn first(&mut self) {
            tokio::select! {
                () = received(&mut self.interrupt) => {}
                () = received(&mut self.terminate) => {}
                () = received(&mut self.hangup) => ignore_lost_output(),
            }
        }

        /// A closing terminal may send several hangups, so they do not count as a second signal.
        pub(super) async fn second(&mut self) {
            tokio::select! {
                () = received(&mut self.interrupt) => {}
                () = received(&mut self.terminate) => {}
            }
        }
    }

    async fn received(signal: &mut Option<Signal>) {
        match signal {
            Some(signal) => drop(signal.recv().await),
            None => std::future::pending().await,
        }
    }

    /// Returns true if this process may have been started with the signal ignored. Only Linux can tell.
    fn may_be_ignored(signal: SignalKind) -> bool {
        // proc_pid_status(5): a mask in hexadecimal, the first signal in the lowest bit.
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_none_or(|mask| mask >> (signal.as_raw_value() - 1) & 1 == 1)
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> Self {
        Self
    }

    async fn first(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }

    async fn second(&mut self) {
        self.first().await;
    }
}

#[cfg(all(test, unix))]
mod tests;
