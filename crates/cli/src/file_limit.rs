//! The limit on the size of files (`ulimit -f`).

/// Makes a write past the limit fail with an error, which reads as a full disk. By default the system ends the program
/// without a word. Commands of the model get the default back. Call it within the runtime.
#[cfg(unix)]
pub(crate) fn fail_writes_past_it() {
    use tokio::signal::unix::{SignalKind, signal};

    // A listener replaces the default action for as long as the program runs, also after it is dropped.
    let _ = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
}

#[cfg(not(unix))]
pub(crate) fn fail_writes_past_it() {}
