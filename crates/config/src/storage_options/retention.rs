//! How long sessions are stored.

use std::time::Duration;

use throughline_settings::{Resolved, SettingsError, keys};
use throughline_text::read_span;

use crate::error::Result;
use crate::layers::of_user;

/// Which sessions are too old to be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Time since the newest record of a session.
    pub age: Duration,
    /// Sessions with a pin stay, whatever their age.
    pub keep_pinned: bool,
}

impl Retention {
    /// What the user's settings ask for; `None`: sessions are stored until they are deleted.
    ///
    /// # Errors
    /// The settings cannot be read.
    pub fn of_user() -> Result<Option<Self>> {
        Self::of(&of_user()?)
    }

    /// What settings ask for.
    ///
    /// # Errors
    /// The value is no time span.
    pub(crate) fn of(settings: &Resolved) -> Result<Option<Self>> {
        let Some(text) = settings.get(keys::RETENTION) else { return Ok(None) };
        let age = read_span(&text).map_err(|why| SettingsError {
            origin: settings.origin(keys::RETENTION),
            key: keys::RETENTION.name().to_owned(),
            why: why.to_string(),
        })?;
        let keep_pinned = settings.get(keys::RETENTION_KEEP_PINNED).unwrap_or(false);
        Ok(Some(Self { age, keep_pinned }))
    }
}
