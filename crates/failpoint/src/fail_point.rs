//! The switch and its three modes.

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Decides whether calls fail, and with what text. Calls succeed until a test says otherwise. Clones are one switch.
#[derive(Debug, Clone, Default)]
pub struct FailPoint(Arc<Mutex<Mode>>);

#[derive(Debug, Default)]
enum Mode {
    #[default]
    Succeed,
    FailNext(String),
    Fail(String),
}

impl FailPoint {
    /// Makes the next call fail with this text.
    pub fn fail_next(&self, text: impl Into<String>) {
        *self.mode() = Mode::FailNext(text.into());
    }

    /// Makes every call fail with this text, as a broken disk would, until [`recover`](Self::recover).
    pub fn fail_with(&self, text: impl Into<String>) {
        *self.mode() = Mode::Fail(text.into());
    }

    /// Makes calls succeed again.
    pub fn recover(&self) {
        *self.mode() = Mode::Succeed;
    }

    /// Returns the failure of this call. A store checks it before it does anything.
    ///
    /// # Errors
    /// The text of [`fail_next`](Self::fail_next) or [`fail_with`](Self::fail_with).
    pub fn check(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut mode = self.mode();
        match &*mode {
            Mode::Succeed => Ok(()),
            Mode::Fail(text) => Err(text.clone().into()),
            Mode::FailNext(text) => {
                let error = text.clone().into();
                *mode = Mode::Succeed;
                Err(error)
            }
        }
    }

    /// The mode is replaced in one step, so a poisoned lock holds a valid one.
    fn mode(&self) -> MutexGuard<'_, Mode> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
