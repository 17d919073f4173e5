//! Ctrl-C and SIGTERM: the turn ends, the session stays.

use throughline_tools::CancelFlag;
use tokio::task::JoinHandle;

/// Cancels the turn at the first signal and ends the process at the second.
pub(super) fn watch(cancel: CancelFlag) -> JoinHandle<()> {
    tokio::spawn(async move {
        signal().await;
        cancel.cancel();
        signal().await;
        // Somebody who asks twice does not want to wait. The log is sound at any moment.
        std::process::exit(130);
    })
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        // Without the handler the system ends the process, and the log is sound all the same.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
