//! Signals that end the program, and the owner of the terminal that decides what Ctrl+C means.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use throughline_terminal::leave;
use tokio::sync::mpsc::{Receiver, channel};

/// A Ctrl+C that ended another program may arrive here shortly after.
const LATE: Duration = Duration::from_secs(1);

/// The owner of the terminal. While the screen owns it, Ctrl+C is a key; else it is a signal to every program on it.
#[derive(Debug, Clone, Copy)]
enum TerminalOwner {
    /// The screen does not exist yet, or is closed.
    None,
    Screen,
    /// A program that it was lent to.
    Other,
    /// The screen again, since this time.
    ScreenSince(Instant),
}

/// There is one terminal.
static OWNER: Mutex<TerminalOwner> = Mutex::new(TerminalOwner::None);

fn owner() -> MutexGuard<'static, TerminalOwner> {
    OWNER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The screen owns the terminal until this is dropped.
#[must_use]
#[derive(Debug)]
pub(super) struct ScreenGuard;

impl ScreenGuard {
    pub(super) fn begin() -> Self {
        *owner() = TerminalOwner::Screen;
        Self
    }
}

impl Drop for ScreenGuard {
    fn drop(&mut self) {
        *owner() = TerminalOwner::None;
    }
}

/// Another program owns the terminal until this is dropped.
#[must_use]
#[derive(Debug)]
pub(super) struct TerminalGuard;

impl TerminalGuard {
    pub(super) fn begin() -> Self {
        *owner() = TerminalOwner::Other;
        Self
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        *owner() = TerminalOwner::ScreenSince(Instant::now());
    }
}

/// What an interrupt means.
#[derive(Debug, PartialEq, Eq)]
enum Interrupt {
    /// End at once: there is no screen to restore.
    Now,
    /// Close the session and end.
    Graceful,
    /// Nothing: it was meant for another program.
    Ignore,
}

impl TerminalOwner {
    fn interrupted(self, now: Instant) -> Interrupt {
        match self {
            Self::None => Interrupt::Now,
            Self::Other => Interrupt::Ignore,
            Self::ScreenSince(back) if now.saturating_duration_since(back) < LATE => Interrupt::Ignore,
            Self::Screen | Self::ScreenSince(_) => Interrupt::Graceful,
        }
    }
}

/// Listens for signals from now on. Sends the exit code when the program has to end.
pub(super) fn listen() -> Receiver<u8> {
    let (sender, receiver) = channel(1);
    tokio::spawn(async move {
        let Some(mut signals) = Signals::listen() else { return };
        loop {
            let code = signals.next().await;
            let asks =
                if code == INTERRUPTED { owner().interrupted(Instant::now()) } else { Interrupt::Graceful };
            match asks {
                Interrupt::Now => leave(code.into()),
                // The session may be ending already.
                Interrupt::Graceful => drop(sender.try_send(code)),
                Interrupt::Ignore => {}
            }
        }
    });
    receiver
}

/// The exit code after Ctrl+C.
const INTERRUPTED: u8 = 128 + 2;

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// `None`: without a handler the system ends the process; the log stays consistent.
    fn listen() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Some(Self {
            interrupt: signal(SignalKind::interrupt()).ok()?,
            terminate: signal(SignalKind::terminate()).ok()?,
            hangup: signal(SignalKind::hangup()).ok()?,
        })
    }

    async fn next(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => INTERRUPTED,
            _ = self.terminate.recv() => 128 + 15,
            _ = self.hangup.recv() => 128 + 1,
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn listen() -> Option<Self> {
        Some(Self)
    }

    async fn next(&mut self) -> u8 {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        INTERRUPTED
    }
}

#[cfg(test)]
mod tests;
