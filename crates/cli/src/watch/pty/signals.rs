//! The signals that this program gets while another one runs.

use anyhow::Context as _;
use rustix::process::Signal;
use tokio::signal::unix::{self, SignalKind, signal};

/// What a signal asks for.
pub(super) enum Caught {
    /// The terminal has another size.
    Resized,
    /// The terminal is closed.
    HangUp,
    /// It is for the other program.
    PassOn(Signal),
}

/// The signals that are caught.
pub(super) struct Signals {
    resized: unix::Signal,
    hangup: unix::Signal,
    interrupt: unix::Signal,
    quit: unix::Signal,
    terminate: unix::Signal,
}

impl Signals {
    pub(super) fn catch() -> anyhow::Result<Self> {
        let catch = |kind| signal(kind).context("signals cannot be caught");
        Ok(Self {
            resized: catch(SignalKind::window_change())?,
            hangup: catch(SignalKind::hangup())?,
            interrupt: catch(SignalKind::interrupt())?,
            quit: catch(SignalKind::quit())?,
            terminate: catch(SignalKind::terminate())?,
        })
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) -> Caught {
        tokio::select! {
            _ = self.resized.recv() => Caught::Resized,
            _ = self.hangup.recv() => Caught::HangUp,
            _ = self.interrupt.recv() => Caught::PassOn(Signal::INT),
            _ = self.quit.recv() => Caught::PassOn(Signal::QUIT),
            _ = self.terminate.recv() => Caught::PassOn(Signal::TERM),
        }
    }
}
