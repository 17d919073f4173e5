//! Ctrl-C, SIGTERM and a terminal that is gone: the turn ends, the session stays.

use throughline_tools::CancelFlag;
use tokio::task::JoinHandle;

use crate::terminal::leave;

/// Cancels the turn at the first signal and ends the process when it is asked once more.
pub(super) fn watch(cancel: CancelFlag) -> JoinHandle<()> {
    tokio::spawn(async move {
        let mut signals = Signals::listen();
        signals.first().await;
        cancel.cancel();
        signals.asked_again().await;
        // Somebody who asks twice does not want to wait. The log is sound at any moment.
        leave(130);
    })
}

#[cfg(unix)]
use unix::Signals;

#[cfg(unix)]
mod unix {
    use tokio::signal::unix::{Signal, SignalKind, signal};

    use crate::terminal::nobody_looks;

    /// Without a handler the system ends the process, and the log is sound all the same.
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
                // A handler would undo what `nohup` has asked for.
                hangup: if may_be_ignored(hangup) { None } else { signal(hangup).ok() },
            }
        }

        pub(super) async fn first(&mut self) {
            tokio::select! {
                () = heard(&mut self.interrupt) => {}
                () = heard(&mut self.terminate) => {}
                () = heard(&mut self.hangup) => nobody_looks(),
            }
        }

        /// A terminal that goes away may say so more than once, so that is no second request.
        pub(super) async fn asked_again(&mut self) {
            tokio::select! {
                () = heard(&mut self.interrupt) => {}
                () = heard(&mut self.terminate) => {}
            }
        }
    }

    async fn heard(signal: &mut Option<Signal>) {
        match signal {
            Some(signal) => drop(signal.recv().await),
            None => std::future::pending().await,
        }
    }

    /// Whether this process was started with a signal ignored, where the system tells; where it does not, it may be.
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

    async fn asked_again(&mut self) {
        self.first().await;
    }
}
