//! A switch that makes a store fail on demand.
//!
//! The in-memory stores of several crates are both the fakes of tests and the fallback of a session whose disk fails. Each
//! holds a [`FailPoint`], checks it at the start of every call, and hands it to tests by a method `failures`.
//!
//! ```
//! use throughline_failpoint::FailPoint;
//!
//! let failures = FailPoint::default();
//! assert!(failures.check().is_ok());
//! failures.fail_with("no space left");
//! assert_eq!(failures.check().unwrap_err().to_string(), "no space left");
//! failures.recover();
//! failures.fail_next("timeout");
//! assert!(failures.check().is_err());
//! assert!(failures.check().is_ok(), "only the next call failed");
//! ```

use std::error::Error;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Decides whether calls fail, and with what text. Calls succeed until a test says otherwise.
#[derive(Debug, Default)]
pub struct FailPoint(Mutex<Mode>);

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
