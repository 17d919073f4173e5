//! Signals that end the program in good order.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{Receiver, channel};

use crate::terminal::leave;

/// A Ctrl+C that ended another program may be heard here a moment after it has ended.
const LATE: Duration = Duration::from_secs(1);

/// Who has the terminal. While the screen has it, Ctrl+C is a key; else it is a signal to every program on it.
#[derive(Debug, Clone, Copy)]
enum Holder {
    /// Nobody yet, or nobody any more.
    Nobody,
    Screen,
    /// A program that it was lent to.
    Other,
    /// The screen again, since then.
    ScreenSince(Instant),
}

/// There is one terminal.
static HOLDER: Mutex<Holder> = Mutex::new(Holder::Nobody);

fn holder() -> MutexGuard<'static, Holder> {
    HOLDER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The screen has the terminal until this is dropped.
#[must_use]
#[derive(Debug)]
pub(super) struct OnScreen;

impl OnScreen {
    pub(super) fn begin() -> Self {
        *holder() = Holder::Screen;
        Self
    }
}

impl Drop for OnScreen {
    fn drop(&mut self) {
        *holder() = Holder::Nobody;
    }
}

/// Another program has the terminal until this is dropped.
#[must_use]
#[derive(Debug)]
pub(super) struct Lent;

impl Lent {
    pub(super) fn begin() -> Self {
        *holder() = Holder::Other;
        Self
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        *holder() = Holder::ScreenSince(Instant::now());
    }
}

/// What an interrupt asks for.
#[derive(Debug, PartialEq, Eq)]
enum Interrupt {
    /// The end, at once: there is no screen to leave.
    Now,
    /// The end in good order.
    InOrder,
    /// Nothing of this program.
    OfAnother,
}

impl Holder {
    fn interrupted(self, now: Instant) -> Interrupt {
        match self {
            Self::Nobody => Interrupt::Now,
            Self::Other => Interrupt::OfAnother,
            Self::ScreenSince(back) if now.saturating_duration_since(back) < LATE => Interrupt::OfAnother,
            Self::Screen | Self::ScreenSince(_) => Interrupt::InOrder,
        }
    }
}

/// Listens from now on. Gives the code to end with when the system or another program asks this one to end.
pub(super) fn listen() -> Receiver<u8> {
    let (tell, told) = channel(1);
    tokio::spawn(async move {
        let Some(mut signals) = Signals::listen() else { return };
        loop {
            let code = signals.next().await;
            let asks =
                if code == INTERRUPTED { holder().interrupted(Instant::now()) } else { Interrupt::InOrder };
            match asks {
                Interrupt::Now => leave(code.into()),
                // A session that was told, or is over already, need not be told.
                Interrupt::InOrder => drop(tell.try_send(code)),
                Interrupt::OfAnother => {}
            }
        }
    });
    told
}

/// What a program ends with that Ctrl+C has ended.
const INTERRUPTED: u8 = 128 + 2;

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    hangup: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// `None`: without a handler the system ends the process, and the log is sound all the same.
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
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_is_for_who_has_the_terminal() {
        let now = Instant::now();
        let later = now + Duration::from_secs(2);
        for (holder, asks) in [
            (Holder::Nobody, Interrupt::Now),
            (Holder::Screen, Interrupt::InOrder),
            (Holder::Other, Interrupt::OfAnother),
            (Holder::ScreenSince(now), Interrupt::OfAnother),
        ] {
            assert_eq!(holder.interrupted(now), asks, "{holder:?}");
        }
        assert_eq!(Holder::ScreenSince(now).interrupted(later), Interrupt::InOrder);
    }
}
