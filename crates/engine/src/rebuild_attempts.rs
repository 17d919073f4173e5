//! How often a request may still be rebuilt.

use crate::active_model::ActiveModel;

/// How often the request may still be rebuilt. Without a limit, a request that stays too large would be paid for again and
/// again.
#[derive(Debug)]
pub(crate) struct RebuildAttempts(u32);

impl RebuildAttempts {
    pub(crate) fn of(model: &ActiveModel) -> Self {
        Self(model.settings.recovery.rebuild_attempts)
    }

    pub(crate) fn left(&self) -> bool {
        self.0 > 0
    }

    pub(crate) fn spend(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }

    /// Spends an attempt. Returns false if none is left.
    pub(crate) fn take(&mut self) -> bool {
        let left = self.left();
        self.spend();
        left
    }
}
