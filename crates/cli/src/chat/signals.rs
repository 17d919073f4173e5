//! Signals that end the program in good order.

use tokio::sync::mpsc::{Receiver, channel};

/// Listens from now on. Gives the code to end with when the system or another program asks this one to end.
pub(super) fn listen() -> Receiver<u8> {
    let (tell, told) = channel(1);
    tokio::spawn(async move {
        let code = ended().await;
        // A session that is over already need not be told.
        let _ = tell.send(code).await;
    });
    told
}

#[cfg(unix)]
async fn ended() -> u8 {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut hangup)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        // Without a handler the system ends the process, and the log is sound all the same.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => 128 + 15,
        _ = hangup.recv() => 128 + 1,
    }
}

#[cfg(not(unix))]
async fn ended() -> u8 {
    std::future::pending().await
}
