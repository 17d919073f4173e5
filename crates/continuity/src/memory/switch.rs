//! Failing on demand, so that tests can see what takes a subsystem's place.

use std::error::Error;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether calls fail, and with what text.
#[derive(Debug, Default)]
pub(super) struct Switch(Mutex<Mode>);

#[derive(Debug, Default)]
enum Mode {
    #[default]
    Works,
    FailsOnce(String),
    Fails(String),
}

impl Switch {
    pub(super) fn fail_next(&self, text: &str) {
        *self.mode() = Mode::FailsOnce(text.to_owned());
    }

    pub(super) fn fail_with(&self, text: &str) {
        *self.mode() = Mode::Fails(text.to_owned());
    }

    pub(super) fn heal(&self) {
        *self.mode() = Mode::Works;
    }

    /// Asked at the start of each call.
    pub(super) fn check(&self) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut mode = self.mode();
        match &*mode {
            Mode::Works => Ok(()),
            Mode::Fails(text) => Err(text.clone().into()),
            Mode::FailsOnce(text) => {
                let error = text.clone().into();
                *mode = Mode::Works;
                Err(error)
            }
        }
    }

    fn mode(&self) -> MutexGuard<'_, Mode> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
